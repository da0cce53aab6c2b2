/// One tick of a price.
public struct Price: Sendable, Hashable {
  /// What it is the price of.
  public let symbol: String
  /// The amount, in cents.
  public let cents: Int64
  /// The tick's number at its source, from 0.
  public let number: Int
  /// When the source made it.
  public let madeAt: ContinuousClock.Instant

  /// Makes a tick.
  public init(symbol: String, cents: Int64, number: Int, madeAt: ContinuousClock.Instant) {
    self.symbol = symbol
    self.cents = cents
    self.number = number
    self.madeAt = madeAt
  }
}

/// Prices as they come; every way of opening a feed ends in one.
public typealias Prices = any AsyncSequence<Price, Never> & Sendable
