/// What became of each token of one conversation, as a value: events in, what to count out.
///
/// Nine bytes for each token. A token is counted once for each thing that happens to it, so that books that do not
/// balance say so.
struct TokenLedger {
  private struct Generation {
    /// When each token was made, in ns of the cell.
    var madeAt: [Int64] = []
    var hasFate: [Bool] = []
    /// Tokens taken out of the stream.
    var read = 0
  }

  private var generations: [Int: Generation] = [:]
  private var isClosed = false
  /// Tokens that were neither delivered nor dropped yet.
  private(set) var undetermined = 0

  /// A token exists. Returns how many of its generation are not read; nil if the books are closed.
  mutating func make(_ generation: Int, at time: Int64) -> Int? {
    guard !isClosed else { return nil }
    generations[generation, default: Generation()].madeAt.append(time)
    generations[generation, default: Generation()].hasFate.append(false)
    undetermined += 1
    return generations[generation].map { $0.madeAt.count - $0.read }
  }

  /// A reader has it. Returns its age in ns; nil for a token never made.
  mutating func read(_ generation: Int, index: Int, at time: Int64) -> Int64? {
    guard !isClosed, let made = madeAt(generation, index) else { return nil }
    generations[generation]?.read += 1
    return time - made
  }

  /// It is in a reply. Returns its age in ns; nil for a token never made.
  mutating func deliver(_ generation: Int, index: Int, at time: Int64) -> Int64? {
    guard !isClosed, let made = madeAt(generation, index) else { return nil }
    settle(generation, index)
    return time - made
  }

  /// It was made after its stream had ended. False for a token never made.
  mutating func drop(_ generation: Int, index: Int) -> Bool {
    guard !isClosed, madeAt(generation, index) != nil else { return false }
    settle(generation, index)
    return true
  }

  /// The cell is over. Returns the tokens without a fate.
  mutating func close() -> Int {
    isClosed = true
    generations = [:]
    return undetermined
  }

  private func madeAt(_ generation: Int, _ index: Int) -> Int64? {
    guard let times = generations[generation]?.madeAt, times.indices.contains(index) else { return nil }
    return times[index]
  }

  private mutating func settle(_ generation: Int, _ index: Int) {
    if generations[generation]?.hasFate[index] == false { undetermined -= 1 }
    generations[generation]?.hasFate[index] = true
  }
}
