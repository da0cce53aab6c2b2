/// One event of a `text/event-stream`.
public struct ServerSentEvent: Sendable, Hashable {
  /// Its type; `message` where the stream names none.
  public var type: String
  /// Its data lines, joined by LF.
  public var data: String
  /// The last identifier that the stream gave; empty before.
  public var id: String

  /// Makes an event.
  public init(type: String = "message", data: String, id: String = "") {
    self.type = type
    self.data = data
    self.id = id
  }
}

/// Makes events out of lines, as the HTML standard's event stream interpretation says: a blank line dispatches
/// what has come, comments and unknown fields are ignored, an event without data is none, and one that the end
/// of the stream cuts off is discarded.
public struct EventAssembler: Sendable {
  private var type = ""
  private var data: [String] = []
  private var id = ""

  /// No line yet.
  public init() {}

  /// A line has come; the event that it ends.
  public mutating func append(_ line: String) -> ServerSentEvent? {
    guard !line.isEmpty else { return dispatch() }
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count < 2 ? "" : String(parts[1].first == " " ? parts[1].dropFirst() : parts[1])
    switch parts[0] {
    case "data": data.append(value)
    case "event": type = value
    case "id" where !value.unicodeScalars.contains("\0"): id = value
    default: break
    }
    return nil
  }

  private mutating func dispatch() -> ServerSentEvent? {
    defer {
      type = ""
      data = []
    }
    guard !data.isEmpty else { return nil }
    return ServerSentEvent(
      type: type.isEmpty ? "message" : type, data: data.joined(separator: "\n"), id: id)
  }
}

/// The events of lines that come one by one.
public struct ServerSentEvents<Base: AsyncSequence>: AsyncSequence where Base.Element == String {
  private let base: Base

  /// The events of these lines.
  public init(_ base: Base) { self.base = base }

  /// Goes from event to event.
  public struct Iterator: AsyncIteratorProtocol {
    private var lines: Base.AsyncIterator
    private var assembler = EventAssembler()

    fileprivate init(_ lines: Base.AsyncIterator) { self.lines = lines }

    /// The next event.
    public mutating func next() async throws -> ServerSentEvent? {
      while let line = try await lines.next() {
        if let event = assembler.append(line) { return event }
      }
      return nil
    }
  }

  /// Begins with the first event.
  public func makeAsyncIterator() -> Iterator { Iterator(base.makeAsyncIterator()) }
}

extension ServerSentEvents: Sendable where Base: Sendable {}
