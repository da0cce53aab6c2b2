public import StoryPipeline

/// The ways in which a journalled registry is wrong on purpose: each wastes an actor, or the threads beside it, in a
/// way that shows on the real clock alone.
public enum RegistryFlaw: String, CaseIterable, Sendable {
  /// ``FieldByFieldJournal``
  case writeForEachField = "write-for-each-field"
  /// ``WaiterCountingRegistry``
  case lineForEachWaiter = "line-for-each-waiter"
  /// An index that takes one word at a time.
  case indexWordByWord = "index-word-by-word"
  /// ``WholeTableJournal``
  case wholeTableWritten = "whole-table-written"
  /// ``BackgroundCompaction``
  case compactedInBackground = "compacted-in-background"
  /// An intake that blocks its thread for the commit.
  case commitBlocksWorkers = "commit-blocks-workers"

  /// What is wrong, in one line.
  public var about: String {
    switch self {
    case .writeForEachField:
      "the registry is held for ten writes, one for each field, instead of one for each element"
    case .lineForEachWaiter:
      "each store writes a line for every caller that waits as well: its work grows with them"
    case .indexWordByWord:
      "each word goes from the registry to the index on the main actor by a call of its own"
    case .wholeTableWritten:
      "each store writes down everything that is kept, and holds the registry meanwhile"
    case .compactedInBackground:
      "a task of background priority compacts the journal in one piece, while workers of high priority wait"
    case .commitBlocksWorkers:
      "workers block their threads until their lines are committed, instead of awaiting it"
    }
  }

  /// These components with the flawed part in place; the rest stays.
  public func components(in sound: JournalComponents) -> JournalComponents {
    var parts = sound
    switch self {
    case .writeForEachField:
      parts.makeRegistry = { sound.makeRegistry(FieldByFieldJournal(journal: $0), $1) }
    case .lineForEachWaiter:
      parts.makeRegistry = { WaiterCountingRegistry(journal: $0, words: $1, in: sound) }
    case .indexWordByWord:
      parts.makeRegistry = { journal, words in
        JournalledRegistry(journal: journal, index: words > 0 ? WordIndex(wordsAtOnce: 1) : nil, words: words)
      }
    case .wholeTableWritten: parts.makeRegistry = { sound.makeRegistry(WholeTableJournal(journal: $0), $1) }
    case .compactedInBackground: parts.compaction = BackgroundCompaction()
    case .commitBlocksWorkers:
      parts.makeIntake = { context, commit in CommittedIntake(context) { commit.waitUntilCommitted() } }
    }
    return parts
  }
}
