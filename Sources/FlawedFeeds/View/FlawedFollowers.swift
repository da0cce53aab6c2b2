public import LiveFeeds

/// Flaw: a second start forgets the task of the first, and both feeds change what is shown.
///
/// Sound: ``WeakFollower`` cancels what is replaced.
public struct DoublingFollower: PriceFollower {
  /// It has no state.
  public init() {}

  /// Does nothing.
  @MainActor public func replaced(_ task: Task<Void, Never>) {}

  /// Shows whatever comes.
  @MainActor public func follow(
    _ model: PriceViewModel, generation: Int, prices: Prices
  ) -> Task<Void, Never> {
    Task { @MainActor [weak model] in
      for await price in prices { model?.show(price) }
    }
  }
}

/// Flaw: a stop cancels the task, and the loop shows what waits in the buffer all the same: a cancelled stream
/// gives out its buffer before it ends.
///
/// Sound: ``WeakFollower`` asks the model whether its feed is still wanted.
public struct BufferShowingFollower: PriceFollower {
  /// It has no state.
  public init() {}

  /// Cancels it.
  @MainActor public func replaced(_ task: Task<Void, Never>) { task.cancel() }

  /// Shows whatever comes.
  @MainActor public func follow(
    _ model: PriceViewModel, generation: Int, prices: Prices
  ) -> Task<Void, Never> {
    Task { @MainActor [weak model] in
      for await price in prices { model?.show(price) }
    }
  }
}

/// Flaw: the loop holds the model as long as the feed lives, and the model is what would end the loop.
///
/// Sound: ``WeakFollower`` looks for the model at each price.
public struct StrongFollower: PriceFollower {
  /// It has no state.
  public init() {}

  /// Cancels it.
  @MainActor public func replaced(_ task: Task<Void, Never>) { task.cancel() }

  /// Captures the model without a word, as a closure in a method does.
  @MainActor public func follow(
    _ model: PriceViewModel, generation: Int, prices: Prices
  ) -> Task<Void, Never> {
    Task { @MainActor in
      for await price in prices {
        guard model.show(price, of: generation) else { return }
      }
    }
  }
}
