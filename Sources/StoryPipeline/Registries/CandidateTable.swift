/// The contents of a registry: candidates by identity, and the user's choice in the user's order.
///
/// A store appends to a chunk and enters the place into one small index: past 2,048 candidates the index is
/// spread over 1,024 dictionaries, so that no single store has to move more than about a thousandth of all when
/// one grows. Neighbouring identities share a dictionary: where they are counted up, as they mostly are, the one in use
/// and the chunk's end stay in the processor's cache however many candidates there are.
struct CandidateTable: Sendable {
  private static let spreadAt = 2_048
  private static let shardBits = 10
  /// Identities that differ in these lowest bits alone are neighbours.
  private static let neighbourBits: UInt64 = 10
  private static let chunkSize = 1_024

  private var chunks: [[Candidate]] = []
  private var shards: [[CandidateID: Int]] = [[:]]
  private(set) var count = 0
  private(set) var selected: [CandidateID] = []

  /// Constant time; a candidate of the same identity is replaced.
  mutating func store(_ candidate: Candidate) {
    if count == Self.spreadAt && shards.count == 1 { spread() }
    let shard = shard(of: candidate.id)
    if let place = shards[shard].updateValue(count, forKey: candidate.id) {
      shards[shard][candidate.id] = place
      chunks[place / Self.chunkSize][place % Self.chunkSize] = candidate
      return
    }
    if count % Self.chunkSize == 0 {
      chunks.append([])
      chunks[chunks.count - 1].reserveCapacity(Self.chunkSize)
    }
    chunks[chunks.count - 1].append(candidate)
    count += 1
  }

  mutating func store(contentsOf batch: [Candidate]) {
    for candidate in batch { store(candidate) }
  }

  func candidate(_ id: CandidateID) -> Candidate? {
    shards[shard(of: id)][id].map { chunks[$0 / Self.chunkSize][$0 % Self.chunkSize] }
  }

  /// All or nothing: the choice replaces the former one, in the order given, or is refused whole.
  mutating func select(_ ids: [CandidateID]) throws(SelectionRefusal) -> [Candidate] {
    var found: [Candidate] = []
    var missing: [CandidateID] = []
    for id in ids {
      if let candidate = candidate(id) { found.append(candidate) } else { missing.append(id) }
    }
    guard missing.isEmpty else { throw SelectionRefusal(notStored: missing) }
    selected = ids
    return found
  }

  func candidates(for ids: [CandidateID]) -> [Candidate] { ids.compactMap { candidate($0) } }

  func snapshot() -> RegistrySnapshot {
    var all: [Candidate] = []
    all.reserveCapacity(count)
    for chunk in chunks { all.append(contentsOf: chunk) }
    return RegistrySnapshot(unordered: all, selected: selected)
  }

  private func shard(of id: CandidateID) -> Int {
    guard shards.count > 1 else { return 0 }
    // Fibonacci hashing: blocks of counted identities spread evenly, and random ones too.
    return Int(
      ((id.rawValue >> Self.neighbourBits) &* 0x9E37_79B9_7F4A_7C15) >> (64 - UInt64(Self.shardBits)))
  }

  private mutating func spread() {
    let all = shards[0]
    shards = Array(repeating: [:], count: 1 << Self.shardBits)
    for (id, place) in all { shards[shard(of: id)][id] = place }
  }
}
