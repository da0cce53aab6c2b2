/// Who is served and who waits at an engine that serves one: first come, first served, as a value.
///
/// Methods are events; what they return is to be done outside the lock. `Waiter` is what is resumed.
struct GenerationQueue<Waiter> {
  /// What becomes of a caller.
  enum Entry {
    /// Its turn is now.
    case turn
    /// It was cancelled before it came to wait.
    case left
    /// It waits.
    case waits
  }

  private struct Place {
    let number: UInt64
    /// Nil for a caller that has left.
    var waiter: Waiter?
  }

  private var isBusy = false
  private var places: [Place] = []
  /// The first place that has not been served.
  private var head = 0
  /// Callers cancelled between asking and waiting.
  private var withdrawn: Set<UInt64> = []

  /// Callers that wait.
  private(set) var waiting = 0

  /// A caller asks for its turn; true if it is now.
  mutating func ask() -> Bool {
    guard !isBusy else { return false }
    isBusy = true
    return true
  }

  /// A caller that did not get its turn at once comes with what is to be resumed.
  mutating func enter(_ number: UInt64, _ waiter: Waiter) -> Entry {
    if withdrawn.remove(number) != nil { return .left }
    if ask() { return .turn }
    places.append(Place(number: number, waiter: waiter))
    waiting += 1
    return .waits
  }

  /// A caller is cancelled: its waiter, or nil if its turn has come or it has not come to wait yet.
  mutating func leave(_ number: UInt64) -> Waiter? {
    guard let index = index(of: number) else {
      withdrawn.insert(number)
      return nil
    }
    defer { places[index].waiter = nil }
    if places[index].waiter != nil { waiting -= 1 }
    return places[index].waiter
  }

  /// A caller needs no note of its cancel any more.
  mutating func forget(_ number: UInt64) { withdrawn.remove(number) }

  /// The generation that was served is over. Returns the waiter whose turn it is.
  mutating func finish() -> Waiter? {
    while head < places.count {
      let waiter = places[head].waiter
      places[head].waiter = nil
      head += 1
      compact()
      if let waiter {
        waiting -= 1
        return waiter
      }
    }
    isBusy = false
    return nil
  }

  /// Places are in the order of entering, which on several threads need not be that of numbers.
  private func index(of number: UInt64) -> Int? { places[head...].firstIndex { $0.number == number } }

  private mutating func compact() {
    guard head >= 64, head * 2 >= places.count else { return }
    places.removeFirst(head)
    head = 0
  }
}
