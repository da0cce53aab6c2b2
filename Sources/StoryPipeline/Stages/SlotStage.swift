/// Which slots a stage fills, and in which attempt.
public struct StageSlots: Sendable, Equatable {
  /// The slots, in the order in which they are asked for.
  public var slots: [Int]
  /// The attempt that every call of this stage names, from 0.
  public var attempt: Int

  /// Exactly these slots: one to retry it alone, the missing ones to complete a stage.
  public init(_ slots: [Int], attempt: Int = 0) {
    self.slots = slots
    self.attempt = attempt
  }

  /// Slots 0 up to `count`.
  public static func first(_ count: Int, attempt: Int = 0) -> StageSlots {
    StageSlots(Array(0..<count), attempt: attempt)
  }
}

/// A pull-driven stage: the consumer's `next()` is what asks the provider, one call for one slot.
///
/// - It owns no task and is never more than one call ahead of its consumer: it makes no call unasked.
/// - A failed call is an event with its slot, and the stage goes on.
/// - A cancellation is thrown as `CancellationError`. Before each call the stage looks whether its task is
///   cancelled, and what a deaf provider returns after a cancel is dropped; after that nothing more is asked.
/// - Each slot is followed by one `progress` event, rising to 1.
public struct SlotStage<Source: SlotSource>: AsyncSequence, Sendable {
  /// What the stage tells its consumer.
  public typealias Element = GenerationEvent<Source.Success>

  let source: Source
  let slots: StageSlots

  /// A stage over `slots`. Asks nothing yet.
  public init(_ source: Source, slots: StageSlots) {
    self.source = source
    self.slots = slots
  }

  /// An iterator at the first slot. Each iterator asks anew.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source, slots: slots) }

  /// The place in a stage.
  public struct Iterator: AsyncIteratorProtocol {
    let source: Source
    let slots: StageSlots
    var position = 0
    var owesProgress = false

    /// The next event, or `nil` after the last slot. Throws `CancellationError`, and then returns `nil`.
    public mutating func next() async throws -> GenerationEvent<Source.Success>? {
      do {
        try Task.checkCancellation()
        if owesProgress {
          owesProgress = false
          return .progress(Double(position) / Double(slots.slots.count))
        }
        guard position < slots.slots.count else { return nil }
        let call = ProviderCall(kind: source.kind, slot: slots.slots[position], attempt: slots.attempt)
        let event = try await source.event(for: call)
        position += 1
        owesProgress = true
        return event
      } catch {
        position = slots.slots.count
        owesProgress = false
        throw error
      }
    }
  }
}

extension SlotSource {
  /// Fills one slot: a candidate, or the failure as an event.
  ///
  /// Throws only `CancellationError`: when the task is cancelled before the call (then nothing is asked),
  /// during it (whatever the provider made of that), or when the provider says it was.
  public func event(for call: ProviderCall) async throws -> GenerationEvent<Success> {
    try Task.checkCancellation()
    let success: Success
    do {
      success = try await make(call)
    } catch {
      if error is CancellationError || Task.isCancelled { throw CancellationError() }
      return .failure(StageFailure(error, slot: call.slot))
    }
    guard !Task.isCancelled else {
      drop(success)
      throw CancellationError()
    }
    return .candidate(success, slot: call.slot)
  }
}

/// Ten names, each with an explanation.
public typealias CharacterNameStage = SlotStage<NameSource>
/// Ten titles, each with an explanation.
public typealias TitleStage = SlotStage<TitleSource>
/// The steps of an outline.
public typealias PlotStage = SlotStage<PlotSource>
