internal import StoryPipeline
internal import Synchronization

/// A registry that keeps its callers informed: each store writes a line for every caller that waits, too.
final class WaiterCountingRegistry: CandidateRegistry {
  private let registry: any CandidateRegistry
  private let waiters = Waiters()

  /// How many callers are on their way in.
  private final class Waiters: Sendable {
    private let count = Atomic(0)
    var now: Int { count.load(ordering: .relaxed) }
    func change(by difference: Int) { count.add(difference, ordering: .relaxed) }
  }

  private struct Journal: CandidateJournal {
    let journal: any CandidateJournal
    let waiters: Waiters

    func write(lines: Int) { journal.write(lines: lines + max(0, waiters.now - 1)) }
  }

  init(journal: any CandidateJournal, words: Int, in sound: JournalComponents) {
    registry = sound.makeRegistry(Journal(journal: journal, waiters: waiters), words)
  }

  func store(_ candidate: Candidate) async {
    waiters.change(by: 1)
    await registry.store(candidate)
    waiters.change(by: -1)
  }

  func store(contentsOf batch: [Candidate]) async {
    for candidate in batch { await store(candidate) }
  }

  func select(_ ids: [CandidateID]) async throws(SelectionRefusal) -> [Candidate] {
    try await registry.select(ids)
  }

  func selectedCandidates() async -> [Candidate] { await registry.selectedCandidates() }
  func candidates(for ids: [CandidateID]) async -> [Candidate] { await registry.candidates(for: ids) }
  func count() async -> Int { await registry.count() }
  func snapshot() async -> RegistrySnapshot { await registry.snapshot() }
}
