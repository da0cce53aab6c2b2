/// Pages as they come; every walk is one.
public typealias Pages<Row: Sendable> = any AsyncSequence<Page<Row>, any Error> & Sendable
/// Elements of pages, whatever was done with them on the way.
public typealias Rows<Row: Sendable> = any AsyncSequence<Row, any Error> & Sendable

/// What is to be walked through.
public struct PageRequest<Row: Sendable>: Sendable {
  /// Who answers.
  public var source: any PageSource
  /// Where to begin.
  public var start: PagePosition
  /// Reads a row; nil for one that cannot be read.
  public var decode: @Sendable (String) -> Row?

  /// Makes a request.
  public init(
    source: any PageSource, start: PagePosition = PagePosition(), decode: @escaping @Sendable (String) -> Row?
  ) {
    self.source = source
    self.start = start
    self.decode = decode
  }
}

/// The parts that a walk through pages is made of; each can be replaced by itself.
public struct PageComponents<Row: Sendable>: Sendable {
  /// Opens a walk.
  public var walk: @Sendable (PageRequest<Row>) -> Pages<Row> = {
    PagedResults(source: $0.source, from: $0.start, decode: $0.decode)
  }
  /// Where a walk goes on after a failure.
  public var resumption: @Sendable (PagePosition) -> PagePosition = { $0 }
  /// The first rows, and no page more than they need.
  public var prefix: @Sendable (Rows<Row>, Int) -> Rows<Row> = { rows, count in
    PageComponents.first(count, of: rows)
  }
  /// Groups of rows of one size.
  public var batches: @Sendable (Rows<Row>, Int) -> Rows<[Row]>? = { rows, size in
    PageComponents.groups(of: size, of: rows)
  }

  /// All sound.
  public init() {}

  private static func first<Base: AsyncSequence<Row, any Error> & Sendable>(
    _ count: Int, of rows: Base
  ) -> Rows<Row> {
    rows.prefix(count)
  }

  private static func groups<Base: AsyncSequence<Row, any Error> & Sendable>(
    of size: Int, of rows: Base
  ) -> Rows<[Row]>? {
    Batches(rows, size: size)
  }
}
