/// How a flow ended.
public struct FlowOutcome<ID: Hashable & Sendable>: Sendable, Hashable {
  /// The way it ended.
  public enum Ending: Sendable, Hashable {
    /// Every step was executed or skipped.
    case completed
    /// It was told to stop before that.
    case cancelled(by: Canceller)
  }

  /// Who told it to stop.
  public enum Canceller: Sendable, Hashable {
    /// The task that awaits `run()` was cancelled.
    case task
    /// Executing this step answered `cancel`.
    case execution(ID)
    /// The handler answered `cancel` to this step's failure.
    case failure(ID)
  }

  /// The way it ended.
  public let ending: Ending
  /// The steps that were executed, in the order in which they were.
  public let executed: [ID]
  /// The steps that were skipped, by their own preparation or by the handler, in their turn.
  public let skipped: [ID]
  /// How long it was paused in all, by the injected clock.
  public let paused: Duration

  /// An outcome.
  public init(ending: Ending, executed: [ID], skipped: [ID], paused: Duration = .zero) {
    self.ending = ending
    self.executed = executed
    self.skipped = skipped
    self.paused = paused
  }
}

/// A flow as its owner sees it, however it schedules its steps.
public protocol OrderedFlow<ID>: Sendable {
  /// What steps are called.
  associatedtype ID: Hashable & Sendable

  /// Runs the flow to its end. The task that awaits it owns it: cancelling that task ends the flow, and nothing
  /// of the flow is left running when this returns.
  ///
  /// - Throws: `FlowError`.
  func run() async throws -> FlowOutcome<ID>
}

/// A flow that can be held up from outside.
public protocol PausableFlow<ID>: OrderedFlow {
  /// Starts no preparation, execution or handler until ``resume()``; what runs may end, and is kept.
  func pause() async
  /// Goes on after a pause.
  func resume() async
}
