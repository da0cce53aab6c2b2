import StoryPipeline

/// How long one store holds the registry, with few and with many candidates in it.
enum StoreBench {
  private static let stores = 1_000

  static func run(repeats: Int) async {
    var small: [Double] = []
    var large: [Double] = []
    for _ in 0..<repeats {
      small.append(await measure(filled: 10))
      large.append(await measure(filled: 1_000_000))
    }
    Bench.report("store with 10 candidates", unit: "ns", small)
    Bench.report("store with 1000000 candidates", unit: "ns", large)
  }

  private static func measure(filled: Int) async -> Double {
    let registry = PerElementRegistry()
    await registry.store(contentsOf: candidates(0..<filled))
    let more = candidates(filled..<(filled + stores))
    return await Task.detached {
      let start = ContinuousClock.now
      for candidate in more { await registry.store(candidate) }
      return (ContinuousClock.now - start) / .nanoseconds(1) / Double(stores)
    }.value
  }

  private static func candidates(_ range: Range<Int>) -> [Candidate] {
    range.map {
      .name(
        CharacterNameCandidate(
          id: CandidateID(UInt64($0)), slot: $0, archetype: nil, name: CharacterName("name", explanation: ""))
      )
    }
  }
}
