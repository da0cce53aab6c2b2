/// The contents of a registry: candidates by identity, and the user's choice in the user's order.
///
/// A store touches one small table: past 2,048 candidates they are spread over 1,024 dictionaries, so that
/// no single store has to move more than about a thousandth of all when a dictionary grows.
struct CandidateTable: Sendable {
  private static let spreadAt = 2_048
  private static let shardBits = 10

  private var shards: [[CandidateID: Candidate]] = [[:]]
  private(set) var count = 0
  private(set) var selected: [CandidateID] = []

  /// Constant time; a candidate of the same identity is replaced.
  mutating func store(_ candidate: Candidate) {
    if count == Self.spreadAt && shards.count == 1 { spread() }
    if shards[shard(of: candidate.id)].updateValue(candidate, forKey: candidate.id) == nil { count += 1 }
  }

  mutating func store(contentsOf batch: [Candidate]) {
    for candidate in batch { store(candidate) }
  }

  func candidate(_ id: CandidateID) -> Candidate? { shards[shard(of: id)][id] }

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
    for shard in shards { all.append(contentsOf: shard.values) }
    return RegistrySnapshot(unordered: all, selected: selected)
  }

  private func shard(of id: CandidateID) -> Int {
    guard shards.count > 1 else { return 0 }
    // Fibonacci hashing: counted identities spread evenly too.
    return Int((id.rawValue &* 0x9E37_79B9_7F4A_7C15) >> (64 - UInt64(Self.shardBits)))
  }

  private mutating func spread() {
    let all = shards[0]
    shards = Array(repeating: [:], count: 1 << Self.shardBits)
    for (id, candidate) in all { shards[shard(of: id)][id] = candidate }
  }
}
