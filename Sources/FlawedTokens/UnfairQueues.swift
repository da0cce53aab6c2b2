import Synchronization
public import TokenStreaming

/// Flaw: who came last is served first, so somebody waits as long as others come.
///
/// Sound: ``InferenceEngine`` serves in the order of coming.
public final class LastComeEngine: Inference {
  private let queue: WaitingList

  /// Keeps an engine.
  public init(_ engine: any TokenEngine, makeStream: @escaping StreamFactory) {
    queue = WaitingList(engine, makeStream: makeStream, takesLast: true, removesCancelled: true)
  }

  /// Waits for a turn.
  public func generate(_ prompt: Prompt, observer: any TokenObserver) async throws -> TokenStream {
    try await queue.generate(prompt, observer: observer)
  }
}

/// Flaw: a caller that is cancelled while it waits keeps its place, and the engine is started for nobody.
///
/// Sound: ``InferenceEngine`` takes it out of the queue at once.
public final class CancelledCallersEngine: Inference {
  private let queue: WaitingList

  /// Keeps an engine.
  public init(_ engine: any TokenEngine, makeStream: @escaping StreamFactory) {
    queue = WaitingList(engine, makeStream: makeStream, takesLast: false, removesCancelled: false)
  }

  /// Waits for a turn, wanted or not.
  public func generate(_ prompt: Prompt, observer: any TokenObserver) async throws -> TokenStream {
    try await queue.generate(prompt, observer: observer)
  }
}

/// Callers that wait, in a list that can be wrong in one of two ways.
private final class WaitingList: Sendable {
  private struct State {
    var isBusy = false
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var withdrawn: Set<Int> = []
    var lastNumber = 0
  }

  private let engine: any TokenEngine
  private let makeStream: StreamFactory
  private let takesLast, removesCancelled: Bool
  private let state = Mutex(State())

  init(
    _ engine: any TokenEngine, makeStream: @escaping StreamFactory, takesLast: Bool, removesCancelled: Bool
  ) {
    self.engine = engine
    self.makeStream = makeStream
    self.takesLast = takesLast
    self.removesCancelled = removesCancelled
  }

  func generate(_ prompt: Prompt, observer: any TokenObserver) async throws -> TokenStream {
    observer.callerAsked(prompt)
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let hasTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isNow = state.withLock { state -> Bool? in
          if state.withdrawn.remove(number) != nil { return false }
          if !state.isBusy {
            state.isBusy = true
            return true
          }
          state.waiting.append((number, continuation))
          return nil
        }
        if let isNow { continuation.resume(returning: isNow) } else { observer.callerQueued(prompt) }
      }
    } onCancel: {
      if removesCancelled { leave(number) }
    }
    guard hasTurn else {
      observer.callerLeft(prompt)
      throw CancellationError()
    }
    return makeStream(prompt, engine, observer) { self.release() }
  }

  private func leave(_ number: Int) {
    let left = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
        state.withdrawn.insert(number)
        return nil
      }
      return state.waiting.remove(at: index).continuation
    }
    left?.resume(returning: false)
  }

  private func release() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard !state.waiting.isEmpty else {
        state.isBusy = false
        return nil
      }
      return (takesLast ? state.waiting.removeLast() : state.waiting.removeFirst()).continuation
    }
    next?.resume(returning: true)
  }
}
