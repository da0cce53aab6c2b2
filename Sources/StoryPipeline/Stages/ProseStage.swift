/// Who writes the prose, for which request.
public struct ProseSource: Sendable {
  /// The request with its outline.
  public let request: GenerationRequest
  /// The callback provider.
  public let provider: any ProseProvider
  /// The call that the provider is told.
  public let call: ProviderCall
  /// Who counts.
  public let observer: any StoryObserver

  /// A source for one request; `attempt` counts from 0.
  public init(
    request: GenerationRequest, provider: any ProseProvider, attempt: Int = 0,
    observer: any StoryObserver = NoObserver()
  ) {
    self.request = request
    self.provider = provider
    self.call = ProviderCall(kind: .prose, slot: 0, attempt: attempt)
    self.observer = observer
  }

  /// Runs the provider once between the observer's hooks.
  public func write(onEvent: @escaping @Sendable (ProseEvent) -> Void) async throws {
    try await observed(call, by: observer) {
      try await provider.generateProse(for: request, call: call, onEvent: onEvent)
    }
  }
}

/// The callback provider as a sequence: paragraphs, progress rising to 1, complete.
///
/// A callback cannot be made to wait, so this is the one stage with a task and a buffer of its own.
/// The task ends, by cancellation where it has not ended by itself, when
/// - the last event (`complete` or `failure`) was taken;
/// - the loop is left by `break`, `return` or a thrown error, or the iterator is dropped (its `deinit` cancels);
/// - the consumer's task is cancelled: at once, without another `next()`;
/// - ``ProseRun/cancel()`` is called on the handle that ``start()`` returns;
/// - ``consume(_:)`` returns, whatever its body keeps;
/// - nobody takes: an iterator that is kept after `break` lets the provider fill the buffer; the paragraph
///   that does not fit any more ends the task, and is the `failure` (``ProseOverflow``) that a later `next()` gets.
///   Of one kept iterator at most `capacity` paragraphs are written in vain. To end at once and keep
///   a handle, keep the ``ProseRun``, not its iterator.
public struct ProseStage: AsyncSequence, Sendable {
  /// What the stage hands on.
  public typealias Element = ProseEvent

  /// Paragraphs buffered at most where nothing else is said.
  public static let defaultCapacity = 256

  let source: ProseSource
  let capacity: Int

  /// A stage with a buffer of `capacity` paragraphs, at least 1. Starts nothing.
  public init(_ source: ProseSource, capacity: Int = ProseStage.defaultCapacity) {
    precondition(capacity >= 1, "a prose buffer holds at least one paragraph")
    self.source = source
    self.capacity = capacity
  }

  /// Starts the provider; the handle ends it.
  public func start() -> ProseRun { ProseRun(source, capacity: capacity) }

  /// Starts the provider; the iterator ends it.
  public func makeAsyncIterator() -> ProseRun.Iterator { start().makeAsyncIterator() }

  /// Hands each event to `body` until it says false, throws, or the story is complete; then the provider's
  /// task is cancelled, whoever keeps what. Throws what `body` throws, `CancellationError` when cancelled.
  public func consume(_ body: (ProseEvent) async throws -> Bool) async throws {
    let run = start()
    defer { run.cancel() }
    for try await event in run {
      guard try await body(event) else { return }
    }
  }
}

/// One running prose provider: a sequence for one consumer, and the handle that cancels it.
public final class ProseRun: AsyncSequence, Sendable {
  /// What the stage hands on.
  public typealias Element = ProseEvent

  private let buffer: ProseBuffer

  init(_ source: ProseSource, capacity: Int) {
    let buffer = ProseBuffer(capacity: capacity, observer: source.observer)
    self.buffer = buffer
    let task = Task {
      do {
        try await source.write { buffer.push($0) }
        buffer.push(.complete)
      } catch {
        if error is CancellationError || Task.isCancelled {
          buffer.writerWasCancelled()
        } else {
          buffer.push(.failure(StageFailure(error, slot: 0)))
        }
      }
    }
    buffer.attach(task)
  }

  deinit { buffer.cancel() }

  /// Ends the provider's task; a waiting or later `next()` throws `CancellationError`. Idempotent.
  public func cancel() { buffer.cancel() }

  /// The iterator of the one consumer; dropping it ends the provider's task.
  public func makeAsyncIterator() -> Iterator { Iterator(lease: Lease(run: self)) }

  /// The consumer's end.
  public struct Iterator: AsyncIteratorProtocol {
    let lease: Lease

    /// The next event; `nil` after the last. Throws `CancellationError` once the run is cancelled.
    public func next() async throws -> ProseEvent? {
      let run = lease.run
      return try await withTaskCancellationHandler {
        try await run.buffer.next()
      } onCancel: {
        run.cancel()
      }
    }
  }

  /// Lives as long as the loop: leaving the loop cancels, though somebody keeps the run.
  final class Lease: Sendable {
    let run: ProseRun
    init(run: ProseRun) { self.run = run }
    deinit { run.cancel() }
  }
}
