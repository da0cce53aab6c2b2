// Plain functions that wait for their time.

/// Callbacks that are queued, by slot; freed slots are used again.
struct CallbackTable {
  private var slots: [(() -> Void)?] = []
  private var free: [Int] = []

  mutating func insert(_ callback: @escaping () -> Void) -> Int {
    if let slot = free.popLast() {
      slots[slot] = callback
      return slot
    }
    slots.append(callback)
    return slots.count - 1
  }

  mutating func take(_ slot: Int) -> () -> Void {
    guard let callback = slots[slot].take() else {
      preconditionFailure("callback slot \(slot) was run twice")
    }
    free.append(slot)
    return callback
  }
}
