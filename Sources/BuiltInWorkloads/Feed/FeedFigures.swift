internal import LiveFeeds
internal import Measurement
internal import WorkloadInterface

/// The figures of `feed`, made once for a cell.
struct FeedFigures: Sendable {
  let made, delivered, buffered, dropped, lost, refused: Counter
  let droppedOffered, droppedBuffered, bufferDropped, withdrawn: Counter
  let subscriptions, cancels: Counter
  let depth, sources: MaxGauge
  let depthSeries: SharedTimeSeries
  let atView, interElement, age: MeasuredDistribution
  private let endings: [FeedEnding: Counter]

  init(_ recorder: Recorder) {
    made = recorder.counter("elements.made")
    delivered = recorder.counter("elements.delivered")
    buffered = recorder.counter("elements.buffered")
    dropped = recorder.counter("elements.dropped")
    lost = recorder.counter("elements.lost")
    refused = recorder.counter("elements.refused")
    bufferDropped = recorder.counter("buffer.dropped")
    droppedOffered = recorder.counter("feed.dropped{which=offered}")
    droppedBuffered = recorder.counter("feed.dropped{which=buffered}")
    withdrawn = recorder.counter("feed.withdrawn")
    subscriptions = recorder.counter("feed.subscriptions")
    cancels = recorder.counter("cancel.requested")
    endings = Dictionary(
      uniqueKeysWithValues: FeedEnding.allCases.map {
        ($0, recorder.counter("feed.ended{ending=\($0.rawValue)}"))
      })
    depth = recorder.gauge("buffer.depth")
    sources = recorder.gauge("feed.sources")
    depthSeries = recorder.series("buffer.depth", .gauge)
    atView = recorder.distribution("staleness{at=view}")
    interElement = recorder.distribution("inter-element")
    age = recorder.distribution("feed.dropped-age")
  }

  /// A feed ended, and said why.
  func ended(_ ending: FeedEnding) { endings[ending]?.add() }

  /// What the workload adds to the catalogue.
  static let metrics = [
    MetricDeclaration(
      "feed.subscriptions", .counter, .count, .neutral, about: "Subscriptions that the source was asked for."),
    MetricDeclaration(
      "feed.sources", .gauge, .count, .neutral,
      about: "Sources that the streams bring together; 0 for a merge of none, which ends at once."),
    MetricDeclaration(
      "feed.ended", labels: ["ending"], .counter, .count, .neutral,
      about: "Streams that ended and unsubscribed, by reason: finished by the source, or cancelled."),
    MetricDeclaration(
      "feed.dropped", labels: ["which"], .counter, .count, .lower,
      about:
        "Prices that a full buffer gave up: the offered one, or one that was buffered before it (the newest are kept)."
    ),
    MetricDeclaration(
      "feed.dropped-age", .distribution, .nanoseconds, .neutral, window: .measured,
      about: "Age of a price when the buffer gave it up: which value was really dropped, in time."),
    MetricDeclaration(
      "feed.withdrawn", .counter, .count, .neutral,
      about: "Prices that waited for a consumer when it left; part of `elements.dropped`."),
    MetricDeclaration(
      "feed.shown", .counter, .count, .neutral, about: "Prices that view models showed."),
  ]
}
