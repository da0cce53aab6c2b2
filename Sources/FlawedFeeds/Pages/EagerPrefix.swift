/// Flaw: the count is looked at after the next element was asked for, so one too many is fetched, and with it a
/// page.
///
/// Sound: `prefix` of the standard library asks for nothing more once it has its elements.
public struct EagerPrefix<Base: AsyncSequence>: AsyncSequence {
  private let base: Base
  private let count: Int

  /// The first `count` elements, and the fetch of one more.
  public init(_ base: Base, count: Int) {
    self.base = base
    self.count = count
  }

  /// Goes from element to element.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var elements: Base.AsyncIterator
    fileprivate let count: Int
    fileprivate var taken = 0

    /// The next element.
    public mutating func next() async throws -> Base.Element? {
      guard taken <= count, let element = try await elements.next() else { return nil }
      taken += 1
      return taken > count ? nil : element
    }
  }

  /// Begins with the first element.
  public func makeAsyncIterator() -> Iterator { Iterator(elements: base.makeAsyncIterator(), count: count) }
}

extension EagerPrefix: Sendable where Base: Sendable {}

/// Flaw: a group is full when an element comes after the first that fills it: groups of one are never full.
///
/// Of size 1 there comes one group with everything in it. Sound: ``Batches``.
public struct GatheringBatches<Base: AsyncSequence>: AsyncSequence where Base.Element: Sendable {
  private let base: Base
  private let size: Int

  /// Groups of `size`, if that is more than one.
  public init(_ base: Base, size: Int) {
    self.base = base
    self.size = size
  }

  /// Goes from group to group.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var elements: Base.AsyncIterator
    fileprivate let size: Int
    fileprivate var isOver = false

    /// The next group.
    public mutating func next() async throws -> [Base.Element]? {
      guard !isOver, let first = try await elements.next() else { return nil }
      var group = [first]
      while let element = try await elements.next() {
        group.append(element)
        if group.count == size { return group }
      }
      isOver = true
      return group
    }
  }

  /// Begins with the first group.
  public func makeAsyncIterator() -> Iterator { Iterator(elements: base.makeAsyncIterator(), size: size) }
}

extension GatheringBatches: Sendable where Base: Sendable {}
