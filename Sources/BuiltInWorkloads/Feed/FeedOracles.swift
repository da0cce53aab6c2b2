internal import LiveFeeds
internal import WorkloadInterface

/// The faults that are looked for in every iteration of `feed`, by what source, stream and view saw.
enum FeedOracles {
  static let neverUnsubscribed = FindingDeclaration(
    name: "feed-never-unsubscribed",
    about: "Every consumer had left, and the source still had a subscription to call back.",
    advice: "Cancel the subscription in the stream's `onTermination`, set before anything can end the stream."
  )
  static let openForNobody = FindingDeclaration(
    name: "feed-open-for-nobody",
    about:
      "The only consumer of a stream had left its loop, and the source went on filling the stream to the end.",
    advice:
      "A stream that something else holds does not end with a `break`: let go of it, or leave by a cancel.")
  static let doubled = FindingDeclaration(
    name: "feed-doubled",
    about: "A view model showed the same price twice: two feeds of it were open at once.",
    advice: "Cancel the task of the former feed before the next one is started.")
  static let shownAfterStop = FindingDeclaration(
    name: "shown-after-stop",
    about: "A view model was stopped and then showed prices that had waited in the buffer.",
    advice:
      "A cancelled `AsyncStream` gives out its buffer before it ends: ask before each element whether it is still wanted."
  )
  static let dropMisreported = FindingDeclaration(
    name: "drop-misreported",
    about: "Prices reported as dropped were delivered, or others never came and nobody said so.",
    advice:
      "Report the element that `yield` returns in `.dropped`: with `.bufferingNewest` it is an older one than the offered."
  )
  static let unboundedGrowth = FindingDeclaration(
    name: "unbounded-growth",
    about:
      "More prices waited than the strategy allows, and their number went on rising; bytes are those of the prices in the buffer.",
    advice:
      "Give the stream a buffering policy with a limit, or pull from the source; mind wrappers that hide the type."
  )
  static let neverEnded = FindingDeclaration(
    name: "feed-never-ended",
    about: "All sources had ended, or there was none, nothing waited, and a consumer still had no end.",
    advice: "End a merge at once when it has no sources; count the open ones down from the start.")

  /// All, with those that are shared with other pipelines.
  static let declarations = [
    neverUnsubscribed, openForNobody, doubled, shownAfterStop, RetainedViewModel.declaration, dropMisreported,
    unboundedGrowth, neverEnded,
  ]

  /// A stream whose only consumer left by itself. A few prices may come between the leaving and the stream's end.
  static func judgeLeaving(_ summary: FeedObservation.Summary, iteration: Int) -> ReportedFinding? {
    guard summary.keptForNobody > 3 else { return nil }
    return ReportedFinding(
      openForNobody.name, evidence: ["prices-kept": summary.keptForNobody], iteration: iteration)
  }

  /// What a stream's buffer takes for a price.
  private static let elementBytes = Int64(MemoryLayout<Price>.stride)

  /// The faults of one stream. `slack`: prices that may be in a consumer's hand, or passed to it directly.
  static func judge(
    _ summary: FeedObservation.Summary, limit: Int?, slack: Int, iteration: Int
  ) -> [ReportedFinding] {
    var findings: [ReportedFinding] = []
    if summary.droppedAndDelivered > 0 || summary.droppedSilently > 0 {
      findings.append(
        ReportedFinding(
          dropMisreported.name,
          evidence: [
            "reported-and-delivered": Int64(summary.droppedAndDelivered),
            "never-came-unreported": Int64(summary.droppedSilently),
          ], iteration: iteration))
    }
    if let limit, summary.peak > limit + slack {
      let growth = Int64(summary.peak - limit) * 1_000_000_000 / max(1, summary.rising)
      findings.append(
        ReportedFinding(
          unboundedGrowth.name,
          evidence: [
            "depth-peak": Int64(summary.peak), "depth-allowed": Int64(limit), "rising-ns": summary.rising,
          ],
          firstSighting: [
            "growth-per-second": growth, "growth-bytes-per-second": growth * elementBytes,
          ], iteration: iteration))
    }
    return findings
  }
}
