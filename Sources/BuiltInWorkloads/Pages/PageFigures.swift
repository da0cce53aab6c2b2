internal import Measurement
internal import WorkloadInterface

/// The figures of `pages`, made once for a cell.
struct PageFigures: Sendable {
  let made, delivered, buffered, dropped, lost, refused: Counter
  let pagesFetched, pagesRead, fetchedAfterLeaving, resumptions, batches, cancels: Counter
  let timeToFirst, interElement: MeasuredDistribution

  init(_ recorder: Recorder) {
    made = recorder.counter("elements.made")
    delivered = recorder.counter("elements.delivered")
    buffered = recorder.counter("elements.buffered")
    dropped = recorder.counter("elements.dropped")
    lost = recorder.counter("elements.lost")
    refused = recorder.counter("elements.refused")
    pagesFetched = recorder.counter("pages.fetched")
    pagesRead = recorder.counter("pages.read")
    fetchedAfterLeaving = recorder.counter("pages.fetched-after-leaving")
    resumptions = recorder.counter("pages.resumptions")
    batches = recorder.counter("pages.batches")
    cancels = recorder.counter("cancel.requested")
    timeToFirst = recorder.distribution("time-to-first-element")
    interElement = recorder.distribution("inter-element")
  }

  /// What the workload adds to the catalogue.
  static let metrics = [
    MetricDeclaration(
      "pages.fetched", .counter, .count, .lower,
      about: "Pages, or chunks of a text, that the source answered."),
    MetricDeclaration(
      "pages.read", .counter, .count, .neutral, about: "Pages that came to their consumer whole."),
    MetricDeclaration(
      "pages.fetched-after-leaving", .counter, .count, .lower,
      about: "Pages that were asked for after their consumer had left."),
    MetricDeclaration(
      "pages.resumptions", .counter, .count, .lower, about: "Walks that went on after a page had failed."),
    MetricDeclaration("pages.batches", .counter, .count, .neutral, about: "Batches of rows."),
  ]
}
