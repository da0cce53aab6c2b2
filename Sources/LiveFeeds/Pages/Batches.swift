/// Elements in groups of one size; the last may be smaller.
public struct Batches<Base: AsyncSequence>: AsyncSequence where Base.Element: Sendable {
  private let base: Base
  private let size: Int

  /// Groups of `size` elements, which is at least 1; nil for less.
  public init?(_ base: Base, size: Int) {
    guard size >= 1 else { return nil }
    self.base = base
    self.size = size
  }

  /// Goes from group to group.
  public struct Iterator: AsyncIteratorProtocol {
    private var elements: Base.AsyncIterator
    private let size: Int
    private var isOver = false

    fileprivate init(_ elements: Base.AsyncIterator, size: Int) {
      self.elements = elements
      self.size = size
    }

    /// The next group, never empty; nil at the end. An error of the base costs the group it comes in.
    public mutating func next() async throws -> [Base.Element]? {
      guard !isOver else { return nil }
      var group: [Base.Element] = []
      while group.count < size {
        guard let element = try await elements.next() else {
          isOver = true
          break
        }
        group.append(element)
      }
      return group.isEmpty ? nil : group
    }
  }

  /// Begins with the first group.
  public func makeAsyncIterator() -> Iterator { Iterator(base.makeAsyncIterator(), size: size) }
}

extension Batches: Sendable where Base: Sendable {}
