/// The rows of a walk, one by one. A page is asked for when a row of it is, not before.
public struct PagedRows<Base: AsyncSequence, Row: Sendable>: AsyncSequence where Base.Element == Page<Row> {
  private let base: Base

  /// The rows of these pages.
  public init(_ base: Base) { self.base = base }

  /// Goes from row to row.
  public struct Iterator: AsyncIteratorProtocol {
    private var pages: Base.AsyncIterator
    private var rows: ArraySlice<Row> = []

    fileprivate init(_ pages: Base.AsyncIterator) { self.pages = pages }

    /// The next row; pages without a readable one are passed over.
    public mutating func next() async throws -> Row? {
      while rows.isEmpty {
        guard let page = try await pages.next() else { return nil }
        rows = page.rows[...]
      }
      return rows.removeFirst()
    }
  }

  /// Begins with the first row.
  public func makeAsyncIterator() -> Iterator { Iterator(base.makeAsyncIterator()) }
}

extension PagedRows: Sendable where Base: Sendable {}
