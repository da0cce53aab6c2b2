internal import SeededDraws
internal import WorkloadInterface

/// The scripted user of one story, as a value: all that chance decides is drawn before the story starts.
struct ScriptedUser: Sendable, Equatable {
  /// What the user does about a failure.
  enum Reaction: Equatable {
    case askAgain, accept, giveUp
  }

  /// Names to choose.
  let nameCount: Int
  /// From the stage's start to the choice, in ns.
  let nameThinking, titleThinking: Int64
  /// Whether names are chosen twice.
  let choosesAgain: Bool
  /// The slot of a name to ask for again; nil for most.
  let regeneratedSlot: Int?
  /// Whether that is cancelled at once.
  let cancelsRegeneration: Bool
  /// From the first start of names to a second one, in ns; nil for most.
  let restartAfter: Int64?
  /// From the story's start to its cancel, in ns; nil for most.
  let cancelAfter: Int64?

  private let onFailure: StoryBehaviour.OnFailure
  private let retryLimit: Int

  /// Draws the user of one iteration.
  init(_ behaviour: StoryBehaviour, draws: IterationDraws, streams: UserStreams) {
    nameCount = behaviour.nameCount
    nameThinking = draws.nanoseconds(behaviour.nameThinking, streams.names)
    titleThinking = draws.nanoseconds(behaviour.titleThinking, streams.titles)
    choosesAgain = draws.isChosen(streams.again, share: behaviour.againShare)
    let regenerates = draws.isChosen(streams.regenerate, share: behaviour.regenerateShare)
    let slot = Int(streams.regenerate.bits(iteration: draws.iteration, slot: 1) % 10)
    regeneratedSlot = regenerates ? slot : nil
    cancelsRegeneration =
      regenerates && draws.isChosen(streams.regenerateCancel, share: behaviour.regenerateCancelShare)
    restartAfter =
      draws.isChosen(streams.restart, share: behaviour.restartShare)
      ? draws.nanoseconds(behaviour.restartAfter, streams.restart, slot: 1) : nil
    cancelAfter =
      draws.isChosen(streams.cancel, share: behaviour.cancelShare)
      ? draws.nanoseconds(behaviour.cancelAfter, streams.cancel, slot: 1) : nil
    onFailure = behaviour.onFailure
    retryLimit = behaviour.retryLimit
  }

  /// What to do when something has failed `failures` times, from 1.
  func reaction(to failures: Int, retryable: Bool) -> Reaction {
    switch onFailure {
    case .skip: .accept
    case .abort: .giveUp
    case .retry: retryable && failures <= retryLimit ? .askAgain : .accept
    }
  }
}

/// The draws of users, one stream for each purpose; made once for a cell.
struct UserStreams: Sendable {
  let names, titles, again, regenerate, regenerateCancel, restart, cancel, reading: DrawStream

  init(seed: UInt64) {
    let user = DrawStream(seed: seed, name: "story.user")
    names = user.substream("select-names")
    titles = user.substream("select-title")
    again = user.substream("select-names.again")
    regenerate = user.substream("regenerate")
    regenerateCancel = user.substream("regenerate.cancel")
    restart = user.substream("restart")
    cancel = user.substream("cancel")
    reading = user.substream("reading")
  }
}
