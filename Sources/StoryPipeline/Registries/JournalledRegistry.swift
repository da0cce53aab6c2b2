/// Writes down what a registry keeps. It is called on the registry's actor: what it takes, the actor is held.
public protocol CandidateJournal: Sendable {
  /// Writes so many lines and returns when they are written. May block its thread.
  func write(lines: Int)
}

/// The words of kept candidates, for a search field: a plain class on the main actor.
@MainActor public final class WordIndex {
  /// How many words are entered in one call.
  public nonisolated let wordsAtOnce: Int
  private var places: [String: [CandidateID]] = [:]

  /// An empty index.
  public nonisolated init(wordsAtOnce: Int) { self.wordsAtOnce = max(1, wordsAtOnce) }

  /// Enters words of one candidate.
  public func enter(_ words: ArraySlice<String>, of id: CandidateID) {
    for word in words { places[word, default: []].append(id) }
  }

  /// How many different words are entered.
  public var count: Int { places.count }
}

/// An actor that writes each candidate into a journal before it lets go, and enters its words into an index.
public actor JournalledRegistry: CandidateRegistry {
  private var table = CandidateTable()
  private let journal: any CandidateJournal
  private let index: WordIndex?
  private let words: Int

  /// An empty registry.
  ///
  /// - Parameters:
  ///   - index: Where words are entered; none without one.
  ///   - words: How many words each candidate has.
  public init(journal: any CandidateJournal, index: WordIndex? = nil, words: Int = 0) {
    self.journal = journal
    self.index = index
    self.words = words
  }

  /// Keeps one candidate, writes its line, and enters its words.
  public func store(_ candidate: Candidate) async {
    table.store(candidate)
    journal.write(lines: 1)
    guard let index else { return }
    let all = (0..<words).map { "word \($0 % 97)" }
    var rest = all[...]
    while !rest.isEmpty {
      await index.enter(rest.prefix(index.wordsAtOnce), of: candidate.id)
      rest = rest.dropFirst(index.wordsAtOnce)
    }
  }

  /// Keeps a batch.
  public func store(contentsOf batch: [Candidate]) async {
    for candidate in batch { await store(candidate) }
  }

  /// Writes so many lines of the journal anew, shorter, while the registry is held.
  public func compact(lines: Int) { journal.write(lines: lines) }

  /// Makes the user's choice, all or nothing.
  public func select(_ ids: [CandidateID]) throws(SelectionRefusal) -> [Candidate] { try table.select(ids) }

  /// The choice, in the user's order.
  public func selectedCandidates() -> [Candidate] { table.candidates(for: table.selected) }

  /// Those of `ids` that are kept.
  public func candidates(for ids: [CandidateID]) -> [Candidate] { table.candidates(for: ids) }

  /// How many candidates are kept.
  public func count() -> Int { table.count }

  /// A copy of everything.
  public func snapshot() -> RegistrySnapshot { table.snapshot() }
}

/// What makes the lines of a journal last, for many writers at once.
public protocol GroupCommit: Sendable {
  /// Suspends until the lines written so far last.
  func committed() async
  /// Blocks the thread until then.
  func waitUntilCommitted()
}

/// Stores each candidate at once, waits until its line lasts, then shows it.
public final class CommittedIntake: CandidateIntake {
  private let intake: any CandidateIntake

  /// An intake that awaits each commit.
  public convenience init(_ context: IntakeContext, commit: any GroupCommit) {
    self.init(context) { await commit.committed() }
  }

  /// An intake that waits in a way of its own.
  public init(_ context: IntakeContext, wait: @escaping @Sendable () async -> Void) {
    var context = context
    let show = context.show
    context.show = { candidate in
      await wait()
      try await show?(candidate)
    }
    intake = DirectIntake(context)
  }

  /// One call to the registry, and a wait.
  public func accept(_ candidate: Candidate) async throws { try await intake.accept(candidate) }

  /// Nothing is held back.
  public func storePending() async {}

  /// Nothing is held back.
  public func finish(_ ending: StageEnding) async {}
}

/// How the journal is made shorter while the registry is in use.
public protocol JournalCompaction: Sendable {
  /// Compacts so many lines. Returns when they are compacted.
  func compact(_ registry: JournalledRegistry, lines: Int) async
}

/// Line by line, so that stores come between, at the priority of those who store.
public struct GradualCompaction: JournalCompaction {
  /// It has no state.
  public init() {}

  /// One short visit for each line.
  public func compact(_ registry: JournalledRegistry, lines: Int) async {
    for _ in 0..<lines {
      await registry.compact(lines: 1)
      await Task.yield()
    }
  }
}

/// The parts of a journalled registry that can be replaced one by one.
public struct JournalComponents: Sendable {
  /// Makes the registry around a journal; `words` is how many words a candidate has, 0 for no index.
  public var makeRegistry: @Sendable (_ journal: any CandidateJournal, _ words: Int) -> any CandidateRegistry
  /// The worker's way into it, where lines are committed in groups.
  public var makeIntake: @Sendable (IntakeContext, any GroupCommit) -> any CandidateIntake
  /// How the journal is compacted.
  public var compaction: any JournalCompaction

  /// The sound parts.
  public init() {
    makeRegistry = { journal, words in
      JournalledRegistry(
        journal: journal, index: words > 0 ? WordIndex(wordsAtOnce: words) : nil, words: words)
    }
    makeIntake = { CommittedIntake($0, commit: $1) }
    compaction = GradualCompaction()
  }
}
