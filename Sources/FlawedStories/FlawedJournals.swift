internal import StoryPipeline
internal import Synchronization

/// Ten writes for each line: a write for each field, each waited for.
struct FieldByFieldJournal: CandidateJournal {
  let journal: any CandidateJournal

  func write(lines: Int) {
    for _ in 0..<10 { journal.write(lines: lines) }
  }
}

/// Writes everything so far each time.
final class WholeTableJournal: CandidateJournal {
  private let journal: any CandidateJournal
  private let kept = Mutex(0)

  init(journal: any CandidateJournal) { self.journal = journal }

  func write(lines: Int) {
    let all = kept.withLock { kept in
      kept += lines
      return kept
    }
    journal.write(lines: all)
  }
}

/// Compacts in one piece, out of everybody's way as it seems: at background priority.
struct BackgroundCompaction: JournalCompaction {
  func compact(_ registry: JournalledRegistry, lines: Int) async {
    let begun = AsyncStream.makeStream(of: Void.self)
    let work = Task.detached(priority: .background) {
      begun.continuation.finish()
      await registry.compact(lines: lines)
    }
    // Awaited any earlier, it would be given the priority of who waits for it.
    for await _ in begun.stream {}
    try? await Task.sleep(for: .milliseconds(150))
    await work.value
  }
}
