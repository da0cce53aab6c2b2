/// The lines of bytes that come in chunks.
public struct Lines<Base: AsyncSequence, Splitter: LineSplitting>: AsyncSequence
where Base.Element == [UInt8] {
  private let base: Base
  private let splitter: Splitter

  /// The lines of these chunks, cut by a splitter that has seen nothing yet.
  public init(_ base: Base, splitter: Splitter) {
    self.base = base
    self.splitter = splitter
  }

  /// Goes from line to line.
  public struct Iterator: AsyncIteratorProtocol {
    private var chunks: Base.AsyncIterator
    private var splitter: Splitter
    private var lines: ArraySlice<String> = []
    private var isOver = false

    fileprivate init(_ chunks: Base.AsyncIterator, splitter: Splitter) {
      self.chunks = chunks
      self.splitter = splitter
    }

    /// The next line, without its end; asks for a chunk only when no whole line is left.
    public mutating func next() async throws -> String? {
      while lines.isEmpty, !isOver {
        if let chunk = try await chunks.next() {
          lines = splitter.append(chunk)[...]
        } else {
          isOver = true
          if let last = splitter.finish() { lines = [last] }
        }
      }
      return lines.popFirst()
    }
  }

  /// Begins with the first line.
  public func makeAsyncIterator() -> Iterator { Iterator(base.makeAsyncIterator(), splitter: splitter) }
}

extension Lines: Sendable where Base: Sendable {}

extension Lines where Splitter == LineSplitter {
  /// The lines of these chunks.
  public init(_ base: Base) { self.init(base, splitter: LineSplitter()) }
}

/// Bytes as they come, cut anywhere.
public typealias Chunks = any AsyncSequence<[UInt8], any Error> & Sendable

/// The parts that make text out of chunks; each can be replaced by itself.
public struct LineComponents: Sendable {
  /// Lines out of chunks.
  public var lines: @Sendable (Chunks) -> Rows<String> = { LineComponents.lines(of: $0) }
  /// Events out of chunks.
  public var events: @Sendable (Chunks) -> Rows<ServerSentEvent> = { LineComponents.events(of: $0) }

  /// All sound.
  public init() {}

  private static func lines<Base: AsyncSequence<[UInt8], any Error> & Sendable>(
    of chunks: Base
  ) -> Rows<String> {
    Lines(chunks)
  }

  private static func events<Base: AsyncSequence<[UInt8], any Error> & Sendable>(
    of chunks: Base
  ) -> Rows<ServerSentEvent> {
    ServerSentEvents(Lines(chunks))
  }
}
