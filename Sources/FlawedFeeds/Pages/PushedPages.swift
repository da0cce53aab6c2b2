public import LiveFeeds
import Synchronization

/// Flaw: a task fetches the pages and pushes them into a stream, and nobody tells it that the reader has left.
///
/// All remaining pages are fetched for nobody. Sound: ``PagedResults`` fetches in the reader's own task.
public enum PushedPages {
  /// A stream that a task fills as fast as pages come.
  public static func open<Row: Sendable>(_ request: PageRequest<Row>) -> Pages<Row> {
    AsyncThrowingStream<Page<Row>, any Error> { continuation in
      Task {
        do {
          let pages = PagedResults(source: request.source, from: request.start, decode: request.decode)
          for try await page in pages { continuation.yield(page) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
    }
  }
}

/// Flaw: a task fetches the pages and hands each over when it is taken; nothing resumes it when nobody takes
/// any more.
///
/// One page is fetched after the reader has left, and the task is parked in its hand-over for ever.
/// Sound: ``PagedResults`` fetches in the reader's own task.
public struct ParkedPages<Row: Sendable>: AsyncSequence, Sendable {
  private let meeting: Meeting<Page<Row>>

  /// Starts the task.
  public init(_ request: PageRequest<Row>) {
    let meeting = Meeting<Page<Row>>()
    self.meeting = meeting
    Task {
      do {
        let pages = PagedResults(source: request.source, from: request.start, decode: request.decode)
        for try await page in pages { await meeting.send(page) }
        meeting.finish(nil)
      } catch {
        meeting.finish(error)
      }
    }
  }

  /// Takes page by page.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let meeting: Meeting<Page<Row>>
    /// The page that the task hands over next; nil for a cancelled reader.
    public mutating func next() async throws -> Page<Row>? {
      Task.isCancelled ? nil : try await meeting.take()
    }
  }

  /// Begins with the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(meeting: meeting) }
}

/// A place where one sender and one receiver meet. A sender waits for its receiver, come what may.
private final class Meeting<Element: Sendable>: Sendable {
  private enum State {
    case nobody
    case sender(Element, UnsafeContinuation<Void, Never>)
    case receiver(UnsafeContinuation<Element?, any Error>)
    case over((any Error)?)
  }
  private let state = Mutex(State.nobody)

  func send(_ element: Element) async {
    await withUnsafeContinuation { continuation in
      let receiver = state.withLock { state -> UnsafeContinuation<Element?, any Error>? in
        if case .receiver(let receiver) = state {
          state = .nobody
          return receiver
        }
        state = .sender(element, continuation)
        return nil
      }
      if let receiver {
        receiver.resume(returning: element)
        continuation.resume()
      }
    }
  }

  func take() async throws -> Element? {
    try await withUnsafeThrowingContinuation { continuation in
      let found = state.withLock { state -> State in
        defer {
          switch state {
          case .sender: state = .nobody
          case .nobody: state = .receiver(continuation)
          case .receiver, .over: break
          }
        }
        return state
      }
      switch found {
      case .sender(let element, let sender):
        continuation.resume(returning: element)
        sender.resume()
      case .over(let error):
        if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: nil) }
      case .nobody, .receiver: break
      }
    }
  }

  func finish(_ error: (any Error)?) {
    let receiver = state.withLock { state -> UnsafeContinuation<Element?, any Error>? in
      defer { state = .over(error) }
      if case .receiver(let receiver) = state { return receiver }
      return nil
    }
    if let error { receiver?.resume(throwing: error) } else { receiver?.resume(returning: nil) }
  }
}
