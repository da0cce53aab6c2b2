internal import FlawedFlows
internal import Flowline
internal import ProviderScripts
internal import Synchronization
internal import WorkloadInterface

/// One flow from start to end, as its owner lives it.
final class FlowRun: Sendable {
  private let owner: FlowOwner
  private let iteration: Iteration
  private let session: FlowSession
  private let observation: FlowObservation
  private let shape: FlowShape
  private let prepare, execute: ScriptedCaller
  /// What the owner has set off: pauses, confirmations, a cancel.
  private let errands = TaskList()
  private let flow = Mutex<(any PausableFlow<Int>)?>(nil)

  private var clock: CellClock { session.recorder.clock }

  init(
    owner: FlowOwner, iteration: Iteration, session: FlowSession, shape: FlowShape,
    observation: FlowObservation
  ) {
    self.owner = owner
    self.iteration = iteration
    self.session = session
    self.shape = shape
    self.observation = observation
    prepare = session.prepare.caller(for: iteration)
    execute = session.execute.caller(for: iteration)
  }

  /// Builds the flow, runs it, and gives it up where it stands still.
  func outcome() async -> IterationOutcome {
    if let malformation = owner.malformation { return tryMalformed(malformation) }
    let made: any OrderedFlow<Int>
    do {
      made = try session.makeFlow(operations, handlers)
    } catch {
      return .failed(reason: "flow-refused")
    }
    flow.withLock { $0 = made as? any PausableFlow<Int> }
    let outcome = await run(made)
    // What waits for a flow that stands still would be waited for as long.
    if outcome == .failed(reason: "stuck") { errands.cancel() } else { await errands.cancelAndWait() }
    // The flow holds its steps, which hold this.
    flow.withLock { $0 = nil }
    return outcome
  }

  // MARK: Running

  private func run(_ made: any OrderedFlow<Int>) async -> IterationOutcome {
    if owner.cancelAfter == nil, session.behaviour.patience == nil {
      startErrands(nil)
      return await withTaskCancellationHandler {
        await own(made)
      } onCancel: {
        cancelled()
      }
    }
    let ended = Signal()
    let result = Mutex<IterationOutcome?>(nil)
    let task = Task { [self] in
      let outcome = await own(made)
      result.withLock { $0 = outcome }
      ended.fire()
    }
    startErrands(task)
    return await withTaskCancellationHandler {
      guard let patience = session.behaviour.patience else {
        await task.value
        return result.withLock { $0 } ?? .cancelled
      }
      if await ends(ended, within: patience) { return result.withLock { $0 } ?? .cancelled }
      observation.see(.gaveUp)
      task.cancel()
      _ = await ends(ended, within: patience)
      return .failed(reason: "stuck")
    } onCancel: {
      task.cancel()
      cancelled()
    }
  }

  /// True when the run ends; false when nothing has happened for so many ns though something should.
  ///
  /// The time is slept in naps, and each has to pass without an event: a machine that starves the flow starves
  /// the sleeper too, so that a slow flow is not taken for one that stands still.
  private func ends(_ ended: Signal, within patience: Int64) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await ended.wait()
        return true
      }
      group.addTask { [self] in
        var (naps, last) = (0, observation.idleSince)
        while naps < Self.naps {
          let nap = max(1, patience / Int64(Self.naps))
          guard (try? await clock.sleep(until: clock.now() + nap)) != nil else { return true }
          let idle = observation.idleSince
          naps = idle != nil && idle == last ? naps + 1 : 0
          last = idle
        }
        return false
      }
      let first = await group.next() ?? true
      group.cancelAll()
      return first
    }
  }

  private static let naps = 10

  /// Owns the flow: awaits its run, and perhaps another one.
  private func own(_ made: any OrderedFlow<Int>) async -> IterationOutcome {
    let outcome = await runOnce(made)
    if owner.runsAgain { _ = await runOnce(made) }
    return outcome
  }

  private func runOnce(_ made: any OrderedFlow<Int>) async -> IterationOutcome {
    let start = clock.now()
    observation.see(.running)
    do {
      let outcome = try await made.run()
      let isComplete = outcome.ending == .completed
      observation.ended(isComplete ? .completed : .cancelled, since: start, paused: outcome.paused)
      return isComplete ? .completed : .cancelled
    } catch is CancellationError {
      observation.ended(.threwCancellation, since: start, paused: nil)
      return .cancelled
    } catch FlowError<Int>.alreadyRun {
      observation.ended(.refused, since: start, paused: nil)
      return .failed(reason: "already-run")
    } catch {
      observation.ended(.failed, since: start, paused: nil)
      return .failed(reason: "preparation-failed")
    }
  }

  // MARK: Errands

  private func startErrands(_ task: Task<Void, Never>?) {
    let start = clock.now()
    if let after = owner.cancelAfter, let task {
      errand(at: start + after) { [self] in
        // Told first: what the cancel sets off comes after it.
        leave()
        task.cancel()
        observation.see(.cancelled)
      }
    }
    if let pause = owner.pause {
      errand(at: start + pause.after) { [self] in
        await pauseFlow()
        resumeFlow(at: clock.now() + pause.length)
      }
    }
  }

  /// Whoever asks or is served from here on is late.
  private func leave() {
    prepare.left()
    execute.left()
  }

  /// The iteration's own task was cancelled, and the flow with it.
  private func cancelled() {
    leave()
    observation.see(.cancelled)
  }

  private func errand(at time: Int64, _ body: @escaping @Sendable () async -> Void) {
    errands.add(
      Task { [self] in
        guard (try? await clock.sleep(until: time)) != nil else { return }
        await body()
      })
  }

  private func pauseFlow() async {
    guard let flow = flow.withLock({ $0 }) else { return }
    observation.see(.pausing)
    await flow.pause()
    observation.see(.paused)
  }

  private func resumeFlow(at time: Int64) { errand(at: time) { [self] in await resumeFlow() } }

  private func resumeFlow() async {
    guard let flow = flow.withLock({ $0 }) else { return }
    observation.see(.resuming)
    await flow.resume()
  }

  // MARK: Steps

  private var operations: [FlowOperation<Int, Int>] {
    (0..<shape.count).map { place in
      FlowOperation(id: place, preparationDependencies: shape.prerequisites[place]) { [self] inputs in
        try await prepared(place, Array(inputs.identifiers))
      }
    }
  }

  private var handlers: FlowHandlers<Int, Int> {
    var handlers = FlowHandlers<Int, Int>(execute: { [self] place, _ in try await executed(place) })
    if session.behaviour.onFailure != .none {
      handlers.resolvePreparationFailure = { [self] failure in resolved(failure.operationID) }
    }
    return handlers
  }

  private func prepared(_ place: Int, _ inputs: [Int]) async throws -> Preparation<Int> {
    let attempt = observation.preparationBegan(place, inputs: inputs)
    do {
      let served = try await prepare.call(slot: place, attempt: attempt)
      let skips = owner.skips(place)
      observation.preparationEnded(place, skips ? .skipped : .ready, took: served.sojourn)
      return skips ? .skip : .ready(place)
    } catch let failure as ProviderFailure {
      observation.preparationEnded(place, .failed, took: 0)
      throw failure
    } catch {
      observation.preparationEnded(place, .cancelled, took: 0)
      throw error
    }
  }

  private func executed(_ place: Int) async throws -> ExecutionDecision {
    observation.executionBegan(place)
    do {
      let served = try await execute.call(slot: place)
      let decision = await decision(place)
      observation.executionEnded(place, asksForPause: decision == .pause, took: served.sojourn)
      return decision
    } catch {
      observation.executionEnded(place, asksForPause: false, took: 0)
      throw error
    }
  }

  private func decision(_ place: Int) async -> ExecutionDecision {
    if place == owner.cancellingPlace { return .cancel }
    guard place == owner.confirmedPlace else { return .proceed }
    let behaviour = session.behaviour
    if behaviour.confirmsEarly {
      await resumeFlow()
    } else {
      resumeFlow(at: clock.now() + owner.confirms(place))
    }
    guard behaviour.confirmWay == .call else { return .pause }
    await pauseFlow()
    return .proceed
  }

  private func resolved(_ place: Int) -> FailureDecision {
    let decision = owner.answer(toFailure: observation.failureAsked(place))
    let isPause = decision == .skipAndPause
    if isPause { resumeFlow(at: clock.now() + owner.confirms(place)) }
    observation.see(
      .failureAnswered(place, isSkip: decision == .skip || isPause, asksForPause: isPause))
    return decision
  }

  // MARK: Malformed lists

  private func tryMalformed(_ malformation: FlowOwner.Malformation) -> IterationOutcome {
    var list = operations
    func step(_ id: Int, after prerequisites: [Int]) -> FlowOperation<Int, Int> {
      FlowOperation(id: id, preparationDependencies: prerequisites) { .skip }
    }
    switch malformation {
    case .duplicate: list += [step(-1, after: []), step(-1, after: [])]
    case .unknown: list.append(step(-1, after: [-2]))
    case .later: list += [step(-1, after: [-2]), step(-2, after: [])]
    }
    do {
      _ = try session.makeFlow(list, handlers)
      observation.see(.malformed(isAccepted: true))
      return .failed(reason: "malformed-flow-accepted")
    } catch {
      observation.see(.malformed(isAccepted: false))
      return .completed
    }
  }
}
