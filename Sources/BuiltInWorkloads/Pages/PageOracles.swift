internal import WorkloadInterface

/// What was seen of one walk.
struct WalkSeen: Sendable {
  /// How the walk ended.
  enum Ending: Sendable {
    case running, finished, left, failed
  }
  var ending = Ending.running
  /// Times each page was asked for, answered and failed, by its number from 0.
  var asked: [Int: Int] = [:]
  var answered: [Int: Int] = [:]
  /// Pages asked for though they had been answered.
  var askedAgain: Int64 = 0
  /// Pages asked for after the consumer had left.
  var askedAfterLeaving: Int64 = 0
  var resumptions = 0
  /// Rows of answered pages that could be read, less those that the consumer was given.
  var rowsWaiting: Int64 = 0
  /// Sizes of batches that are not the size that was asked for, the last one left aside where it is smaller.
  var wrongBatches: Int64 = 0
  var largestBatch = 0
}

/// What was seen of one text.
struct TextSeen: Sendable {
  var damaged: Int64 = 0
  var returnsKept: Int64 = 0
  var broken: Int64 = 0
  var missingAtEnd: Int64 = 0
}

/// The faults that are looked for in every iteration of `pages`, by what source and consumer saw.
enum PageOracles {
  static let fetchedAfterLeaving = FindingDeclaration(
    name: "pages-fetched-after-leaving",
    about: "The consumer had left, and more pages were asked for than the one in flight.",
    advice: "Fetch in the iterator's `next()`, or cancel the producer when its stream terminates.")
  static let pagesLost = FindingDeclaration(
    name: "pages-lost",
    about: "The walk ended as if it were complete, and there were pages it had not asked for.",
    advice: "End where a page names no next one, not where a page has no rows.")
  static let rowsLost = FindingDeclaration(
    name: "page-rows-lost",
    about: "A page came, and its rows were not handed on.",
    advice: "Hand the page on before looking for the next one; a single page is a result too.")
  static let emptyAskedAgain = FindingDeclaration(
    name: "empty-result-asked-again",
    about: "A page that had come and named no next one was asked for again.",
    advice: "No rows and no next page is an end.")
  static let repeatedTokenFollowed = FindingDeclaration(
    name: "repeated-token-followed",
    about: "A page named a page that had come already, and the walk followed it round.",
    advice: "Remember the tokens that were followed, and end with an error at the first one that comes again."
  )
  static let failureTakenForEnd = FindingDeclaration(
    name: "failure-taken-for-end",
    about: "A page failed, and the walk ended as if it were complete.",
    advice: "Throw what the page threw, with the position from which the walk can go on.")
  static let deliveredTwice = FindingDeclaration(
    name: "rows-delivered-twice",
    about: "After a failure the walk began with pages that had come already.",
    advice: "Go on from the page that failed.")
  static let fetchedTooFar = FindingDeclaration(
    name: "pages-fetched-too-far",
    about: "The consumer wanted a number of rows, had them, and one more page was asked for.",
    advice: "Count before asking for the next element, not after.")
  static let batchSizes = FindingDeclaration(
    name: "batch-size-wrong",
    about: "A batch had another size than the one asked for, and was not the smaller last one.",
    advice: "Look whether a batch is full after each element, the first one too.")
  static let lineBroken = FindingDeclaration(
    name: "line-broken-at-chunk",
    about: "A line came in parts, as the chunks were cut.",
    advice: "Keep what stands after a chunk's last line end for the next chunk.")
  static let lastLineLost = FindingDeclaration(
    name: "last-line-lost", about: "The text's last line had no end and did not come.",
    advice: "Hand on what is left when the chunks end.")
  static let returnKept = FindingDeclaration(
    name: "carriage-return-kept", about: "Lines that end in CR LF came with their CR.",
    advice: "Take CR LF for one line end, also where it lies in two chunks.")
  static let textDamaged = FindingDeclaration(
    name: "text-damaged", about: "Characters that lie in two chunks came as U+FFFD.",
    advice: "Decode whole lines, not chunks.")
  static let eventBroken = FindingDeclaration(
    name: "event-broken-at-chunk",
    about: "Server-sent events came cut, or not at all, as the chunks were cut.",
    advice: "Keep the lines of an event until a blank line ends it, over chunks.")

  static let declarations = [
    fetchedAfterLeaving, pagesLost, rowsLost, emptyAskedAgain, repeatedTokenFollowed, failureTakenForEnd,
    deliveredTwice, fetchedTooFar, batchSizes, lineBroken, lastLineLost, returnKept, textDamaged, eventBroken,
  ]

  /// The faults of a walk.
  static func judge(_ seen: WalkSeen, _ behaviour: PagesBehaviour, iteration: Int) -> [ReportedFinding] {
    var found: [(FindingDeclaration, [String: Int64])] = []
    if seen.askedAfterLeaving > 1 {
      found.append(
        (
          fetchedAfterLeaving,
          ["fetched-after-leaving": seen.askedAfterLeaving, "pages": Int64(behaviour.pages)]
        ))
    }
    found += unfetched(seen, behaviour)
    if seen.ending == .finished, behaviour.transform != .prefix, seen.rowsWaiting > 0 {
      found.append((rowsLost, ["rows-lost": seen.rowsWaiting]))
    }
    if seen.askedAgain > 0 {
      let which =
        seen.resumptions > 0
        ? deliveredTwice : behaviour.repeatedTokenAt > 0 ? repeatedTokenFollowed : emptyAskedAgain
      found.append((which, ["pages-fetched-again": seen.askedAgain]))
    }
    if behaviour.transform == .prefix, behaviour.reads == .rows {
      let beyond = seen.asked.keys.count { $0 > behaviour.lastPageNeeded }
      if beyond > 0 {
        found.append(
          (fetchedTooFar, ["pages-beyond": Int64(beyond), "rows-wanted": Int64(behaviour.prefix)]))
      }
    }
    if seen.wrongBatches > 0 {
      found.append(
        (
          batchSizes,
          [
            "batches-wrong": seen.wrongBatches, "largest": Int64(seen.largestBatch),
            "asked-for": Int64(behaviour.batch),
          ]
        ))
    }
    return found.map { ReportedFinding($0.0.name, evidence: $0.1, iteration: iteration) }
  }

  private static func unfetched(
    _ seen: WalkSeen, _ behaviour: PagesBehaviour
  ) -> [(FindingDeclaration, [String: Int64])] {
    guard seen.ending == .finished, behaviour.transform != .prefix, behaviour.repeatedTokenAt == 0 else {
      return []
    }
    let missing = (0..<behaviour.pages).count { seen.answered[$0] == nil }
    guard missing > 0 else { return [] }
    let failed = seen.asked.keys.contains { seen.answered[$0] == nil }
    return [(failed ? failureTakenForEnd : pagesLost, ["pages-unfetched": Int64(missing)])]
  }

  /// The faults of a text.
  static func judge(_ seen: TextSeen, _ behaviour: PagesBehaviour, iteration: Int) -> [ReportedFinding] {
    let isEvents = behaviour.reads == .events
    // An event that did not come whole left parts, or nothing.
    let broken = isEvents ? seen.broken + seen.missingAtEnd : seen.broken
    let found: [(FindingDeclaration, String, Int64)] = [
      (isEvents ? eventBroken : lineBroken, isEvents ? "events-broken" : "parts", broken),
      (lastLineLost, "lines-missing", isEvents || broken > 0 ? 0 : seen.missingAtEnd),
      (returnKept, "lines-with-return", seen.returnsKept), (textDamaged, "lines-damaged", seen.damaged),
    ]
    return found.filter { $0.2 > 0 }
      .map { ReportedFinding($0.0.name, evidence: [$0.1: $0.2], iteration: iteration) }
  }
}
