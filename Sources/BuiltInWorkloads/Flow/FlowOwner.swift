internal import Flowline
internal import SeededDraws
internal import WorkloadInterface

/// The scripted owner of one flow, as a value: all that chance decides is drawn before the flow starts.
struct FlowOwner: Sendable {
  /// A way in which steps make no flow.
  enum Malformation: Int, CaseIterable {
    case duplicate, unknown, later
  }

  /// Time from the start to a pause from outside and how long it lasts, in ns; nil for most.
  let pause: (after: Int64, length: Int64)?
  /// The step that asks for a pause; nil for most.
  let confirmedPlace: Int?
  /// The step that answers `cancel`; nil for most.
  let cancellingPlace: Int?
  /// Time from the start to the cancel of the task, in ns; nil for most.
  let cancelAfter: Int64?
  let runsAgain: Bool
  let malformation: Malformation?
  private let behaviour: FlowBehaviour
  private let draws: IterationDraws
  private let streams: FlowStreams

  /// Draws the owner of one iteration.
  init(_ behaviour: FlowBehaviour, draws: IterationDraws, streams: FlowStreams) {
    self.behaviour = behaviour
    self.draws = draws
    self.streams = streams
    func place(_ stream: DrawStream) -> Int {
      Int(stream.bits(iteration: draws.iteration, slot: 1) % UInt64(max(1, behaviour.operations)))
    }
    pause =
      draws.isChosen(streams.pause, share: behaviour.pauseShare)
      ? (
        draws.nanoseconds(behaviour.pauseAfter, streams.pause, slot: 1),
        draws.nanoseconds(behaviour.pauseLength, streams.pause, slot: 2)
      ) : nil
    confirmedPlace =
      draws.isChosen(streams.confirm, share: behaviour.confirmShare) ? place(streams.confirm) : nil
    let cancels = draws.isChosen(streams.cancel, share: behaviour.cancelShare)
    cancellingPlace = cancels && behaviour.cancelWay == .decision ? place(streams.cancel) : nil
    cancelAfter =
      cancels && behaviour.cancelWay == .task
      ? draws.nanoseconds(behaviour.cancelAfter, streams.cancel, slot: 1) : nil
    runsAgain = draws.isChosen(streams.rerun, share: behaviour.rerunShare)
    let bits = streams.malformed.bits(iteration: draws.iteration, slot: 1)
    malformation =
      draws.isChosen(streams.malformed, share: behaviour.malformedShare)
      ? Malformation(rawValue: Int(bits % 3)) : nil
  }

  /// Whether the step at this place skips.
  func skips(_ place: Int) -> Bool {
    behaviour.skipShare > 0
      && streams.skip.uniform(iteration: draws.iteration, slot: place) < behaviour.skipShare
  }

  /// Time from a pause that a step asked for to the resume, in ns.
  func confirms(_ place: Int) -> Int64 {
    draws.nanoseconds(behaviour.confirmAfter, streams.confirm, slot: 2 + place)
  }

  /// What the handler answers to a step's failure, counted from 1.
  func answer(toFailure number: Int) -> FailureDecision {
    switch behaviour.onFailure {
    case .retry: number <= behaviour.retryLimit ? .retry : .skip
    case .skip, .none: .skip
    case .skipAndPause: .skipAndPause
    case .cancel: .cancel
    }
  }
}

/// The draws of owners, one stream for each purpose; made once for a cell.
struct FlowStreams: Sendable {
  let shape, skip, pause, confirm, cancel, rerun, malformed: DrawStream

  init(seed: UInt64) {
    let owner = DrawStream(seed: seed, name: "flow.owner")
    shape = owner.substream("shape")
    skip = owner.substream("skip")
    pause = owner.substream("pause")
    confirm = owner.substream("confirm")
    cancel = owner.substream("cancel")
    rerun = owner.substream("run-again")
    malformed = owner.substream("malformed")
  }
}
