public import LiveFeeds

/// Flaw: a piece is taken for whole lines; what stands after its last end is a line too.
///
/// Sound: ``LineSplitter`` keeps it for the next piece.
public struct ChunkwiseSplitter: LineSplitting {
  /// It has no state.
  public init() {}

  /// Every piece by itself.
  public mutating func append(_ bytes: some Sequence<UInt8>) -> [String] {
    var splitter = LineSplitter()
    return splitter.append(bytes) + (splitter.finish().map { [$0] } ?? [])
  }

  /// Nothing is left.
  public mutating func finish() -> String? { nil }
}

/// Flaw: only an end makes a line; what stands after the last one is forgotten.
///
/// Sound: ``LineSplitter/finish()``.
public struct ForgetfulSplitter: LineSplitting {
  private var sound = LineSplitter()
  /// No bytes yet.
  public init() {}
  /// As the sound one.
  public mutating func append(_ bytes: some Sequence<UInt8>) -> [String] { sound.append(bytes) }
  /// Nothing.
  public mutating func finish() -> String? { nil }
}

/// Flaw: lines end in LF and nothing else, so those of the other kind keep their CR.
///
/// Sound: ``LineSplitter`` knows all three ends.
public struct ReturnKeepingSplitter: LineSplitting {
  private var line: [UInt8] = []
  /// No bytes yet.
  public init() {}

  /// Looks for LF.
  public mutating func append(_ bytes: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(String(decoding: line, as: UTF8.self))
        line = []
      } else {
        line.append(byte)
      }
    }
    return lines
  }

  /// What stands after the last end.
  public mutating func finish() -> String? { line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
}

/// Flaw: each piece is decoded by itself, so a character that lies in two is none in either.
///
/// Sound: ``LineSplitter`` decodes whole lines.
public struct ChunkwiseDecodingSplitter: LineSplitting {
  private var text = LineSplitter()
  /// No bytes yet.
  public init() {}

  /// Decodes, then cuts.
  public mutating func append(_ bytes: some Sequence<UInt8>) -> [String] {
    text.append(String(decoding: Array(bytes), as: UTF8.self).utf8)
  }

  /// What stands after the last end.
  public mutating func finish() -> String? { text.finish() }
}

/// Flaw: each piece is read as whole events; one that lies in two pieces is lost or cut.
///
/// Sound: ``ServerSentEvents`` over ``Lines``.
public struct ChunkwiseEvents<Base: AsyncSequence>: AsyncSequence where Base.Element == [UInt8] {
  private let base: Base
  /// The events of these chunks.
  public init(_ base: Base) { self.base = base }

  /// Goes from event to event.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var chunks: Base.AsyncIterator
    fileprivate var events: ArraySlice<ServerSentEvent> = []

    /// The next event.
    public mutating func next() async throws -> ServerSentEvent? {
      while events.isEmpty {
        guard let chunk = try await chunks.next() else { return nil }
        var (splitter, assembler) = (ChunkwiseSplitter(), EventAssembler())
        events = splitter.append(chunk).compactMap { assembler.append($0) }[...]
        if let last = assembler.append("") { events.append(last) }
      }
      return events.popFirst()
    }
  }

  /// Begins with the first event.
  public func makeAsyncIterator() -> Iterator { Iterator(chunks: base.makeAsyncIterator()) }
}

extension ChunkwiseEvents: Sendable where Base: Sendable {}
