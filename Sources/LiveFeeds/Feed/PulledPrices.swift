/// Prices by demand: each step asks the source for one, so nothing waits in a buffer.
public struct PulledPrices: AsyncSequence, Sendable {
  private let source: any PulledPriceSource

  /// The prices of this source, from number 0.
  public init(_ source: any PulledPriceSource) { self.source = source }

  /// Asks step by step.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let source: any PulledPriceSource
    private var number = 0
    private var isOver = false

    fileprivate init(_ source: any PulledPriceSource) { self.source = source }

    /// The next price; nil at the end and for a cancelled task.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Price? {
      guard !isOver, !Task.isCancelled, let price = await source.price(number) else {
        isOver = true
        return nil
      }
      number += 1
      return price
    }
  }

  /// Begins with number 0.
  public func makeAsyncIterator() -> Iterator { Iterator(source) }
}
