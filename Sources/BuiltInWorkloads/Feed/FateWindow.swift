/// What became of numbered things that come roughly in order, in memory bounded by how far apart the oldest
/// open and the newest are.
struct FateWindow {
  /// What is known of a number.
  enum Fate: UInt8 {
    case unseen, offered, waiting, delivered, dropped, refused

    /// Whether nothing more is to happen to it.
    var isFinal: Bool { rawValue > Fate.waiting.rawValue }
  }

  /// The number of the first fate that is kept.
  private var origin: Int?
  /// Before this place all fates are final.
  private var head = 0
  private var fates: [Fate] = []
  private var hasForgotten = false

  /// Final fates that are remembered beyond the oldest open one, at least.
  private static let remembering = 512

  /// Enters what is now known of a number; a final fate stays, unless another final one follows. Returns what
  /// was known before, nil for a number that is no longer remembered.
  mutating func mark(_ number: Int, _ fate: Fate) -> Fate? {
    var first = origin ?? number
    if number < first {
      guard !hasForgotten else { return nil }
      fates.insert(contentsOf: repeatElement(.unseen, count: first - number), at: 0)
      (first, head) = (number, 0)
    }
    origin = first
    let place = number - first
    if fates.count <= place {
      fates.append(contentsOf: repeatElement(.unseen, count: place + 1 - fates.count))
    }
    let before = fates[place]
    if !before.isFinal || fate.isFinal { fates[place] = fate }
    forgetSettled(first)
    return before
  }

  /// Fates that are kept.
  var remembered: Int { fates.count }

  /// Numbers that were offered and have no final fate.
  var openCount: Int { fates[head...].count { $0 == .offered || $0 == .waiting } }

  private mutating func forgetSettled(_ first: Int) {
    while head < fates.count, fates[head].isFinal { head += 1 }
    let forgettable = head - Self.remembering
    guard forgettable > Self.remembering, forgettable * 2 > fates.count else { return }
    fates.removeFirst(forgettable)
    head -= forgettable
    origin = first + forgettable
    hasForgotten = true
  }
}
