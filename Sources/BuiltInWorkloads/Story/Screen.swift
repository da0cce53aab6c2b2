internal import StoryPipeline
internal import Synchronization

/// What the scripted user sees of one stage, and the place to wait for more of it.
final class Screen: Sendable {
  /// Why a wait is over.
  enum Sight: Equatable {
    /// As much is shown as was waited for.
    case enough
    /// No more will come, or the user's task is cancelled.
    case ended
    /// A failure that the user does not put up with.
    case givenUp
  }

  private struct State {
    var shown: [CandidateID] = []
    var known: Set<CandidateID> = []
    var failures: [Int: Int] = [:]
    var followers = 0
    var isGivenUp = false
    var waiter: (wanted: Int, continuation: CheckedContinuation<Sight, Never>)?

    func sight(wanting wanted: Int) -> Sight? {
      if isGivenUp { return .givenUp }
      if shown.count >= wanted { return .enough }
      return followers == 0 ? .ended : nil
    }

    /// The waiter, if its wait is over.
    mutating func takeWaiter() -> (CheckedContinuation<Sight, Never>, Sight)? {
      guard let waiter, let sight = sight(wanting: waiter.wanted) else { return nil }
      self.waiter = nil
      return (waiter.continuation, sight)
    }
  }

  private let user: ScriptedUser
  private let state = Mutex(State())

  init(for user: ScriptedUser) { self.user = user }

  /// The candidates shown, in the order in which they came.
  var shown: [CandidateID] { state.withLock { $0.shown } }

  /// How many candidates are shown.
  var count: Int { state.withLock { $0.shown.count } }

  /// A loop that feeds the screen has begun.
  func followerBegan() { state.withLock { $0.followers += 1 } }

  /// A loop that feeds the screen has ended.
  func followerEnded() { update { $0.followers -= 1 } }

  /// A candidate is shown; one shown before is ignored.
  func show(_ id: CandidateID) {
    update { if $0.known.insert(id).inserted { $0.shown.append(id) } }
  }

  /// A slot has failed: what the user does about it.
  func failed(slot: Int, retryable: Bool) -> ScriptedUser.Reaction {
    var reaction = ScriptedUser.Reaction.accept
    update { state in
      let failures = state.failures[slot, default: 0] + 1
      state.failures[slot] = failures
      reaction = user.reaction(to: failures, retryable: retryable)
      if reaction == .giveUp { state.isGivenUp = true }
    }
    return reaction
  }

  /// Waits until `wanted` candidates are shown or nothing more will come.
  func wait(for wanted: Int) async -> Sight {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let sight = state.withLock { state -> Sight? in
          if let sight = state.sight(wanting: wanted) { return sight }
          if Task.isCancelled { return .ended }
          state.waiter = (wanted, continuation)
          return nil
        }
        if let sight { continuation.resume(returning: sight) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.continuation.resume(returning: .ended)
    }
  }

  private func update(_ change: (inout State) -> Void) {
    let waiter = state.withLock { state in
      change(&state)
      return state.takeWaiter()
    }
    if let (continuation, sight) = waiter { continuation.resume(returning: sight) }
  }
}
