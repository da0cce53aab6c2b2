internal import StoryPipeline
internal import WorkloadInterface

/// Elements that a worker was given and that never came into the registry.
///
/// What is on its way while a worker of its kind runs may yet arrive. When the last of them ends, nobody has it.
struct LostLastFlush: StoryOracle {
  static let declaration = FindingDeclaration(
    name: "lost-last-flush",
    about: "Elements were made and neither stored nor withdrawn: a worker ended without flushing its batch.",
    advice: "Flush where every ending passes: after the loop and in its catch, also on cancellation.")

  /// The elements of one kind: how many there were, and what became of them.
  private struct Elements {
    private(set) var numbers: [CandidateID: Int64] = [:]
    private(set) var lastStored: Int64 = 0
    private var fateless: Set<CandidateID> = []
    /// Those of them that were left when no worker ran.
    private var abandoned: Set<CandidateID> = []
    private var workers = 0

    /// Those that nobody has.
    var lost: Set<CandidateID> { workers > 0 ? abandoned : fateless }

    mutating func make(_ id: CandidateID) {
      numbers[id] = Int64(numbers.count + 1)
      fateless.insert(id)
    }

    mutating func store(_ id: CandidateID) {
      drop(id)
      lastStored = max(lastStored, numbers[id] ?? 0)
    }

    mutating func drop(_ id: CandidateID) {
      fateless.remove(id)
      abandoned.remove(id)
    }

    mutating func startWorker() { workers += 1 }

    mutating func endWorker() {
      workers -= 1
      if workers == 0 { abandoned = fateless }
    }
  }
  private var kinds: [ProviderKind: Elements] = [:]

  mutating func see(_ event: StoryEvent) {
    switch event {
    case .made(let id, _): kinds[StoryIdentifiers.kind(of: id), default: Elements()].make(id)
    case .stored(let id): kinds[StoryIdentifiers.kind(of: id)]?.store(id)
    case .workerStarted(let kind): kinds[kind, default: Elements()].startWorker()
    case .workerEnded(let kind): kinds[kind]?.endWorker()
    case .dropped(let id): kinds[StoryIdentifiers.kind(of: id)]?.drop(id)
    default: break
    }
  }

  func evidence(at end: StoryEnd) -> [String: Int64]? {
    guard end.hasEnded else { return nil }
    let lost = kinds.values.reduce(0) { $0 + $1.lost.count }
    return lost > 0 ? ["elements-lost": Int64(lost)] : nil
  }

  /// The numbers, from 1, of the last element made and the last stored, of the first kind that lost some.
  var firstSighting: [String: Int64] {
    let faulty = ProviderKind.allCases.lazy.compactMap { kinds[$0] }.first { !$0.lost.isEmpty }
    return faulty.map { ["last-made": Int64($0.numbers.count), "last-stored": $0.lastStored] } ?? [:]
  }
}
