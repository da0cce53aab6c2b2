internal import Measurement
internal import StoryPipeline
internal import WorkloadInterface

/// The counters and distributions of elements, made once for a cell.
struct ElementFigures: Sendable {
  let made, delivered, stored, buffered, dropped, lost, refused: Counter
  let flushes: Counter
  private let flush: Mark
  private let causes: [FlushCause: Counter]
  private let size: MeasuredDistribution
  private let atRegistry, atView: MeasuredDistribution

  init(_ recorder: Recorder) {
    made = recorder.counter("elements.made")
    delivered = recorder.counter("elements.delivered")
    stored = recorder.counter("elements.stored")
    buffered = recorder.counter("elements.buffered")
    dropped = recorder.counter("elements.dropped")
    lost = recorder.counter("elements.lost")
    refused = recorder.counter("elements.refused")
    flushes = recorder.counter("flush.count")
    flush = recorder.mark("flush")
    causes = Dictionary(
      uniqueKeysWithValues: FlushCause.allCases.map {
        ($0, recorder.counter("flush.cause{cause=\($0.rawValue)}"))
      })
    size = recorder.distribution("flush.size")
    atRegistry = recorder.distribution("staleness{at=registry}")
    atView = recorder.distribution("staleness{at=view}")
  }

  /// A batch went to the registry in one call.
  func flushed(_ count: Int, cause: FlushCause, in iteration: Iteration) {
    flushes.add()
    flush.now(count)
    causes[cause]?.add()
    size.record(Int64(count), in: iteration)
  }

  /// An element of this age, in ns, became visible in the registry.
  func visibleInRegistry(age: Int64, in iteration: Iteration) {
    stored.add()
    atRegistry.record(age, in: iteration)
  }

  /// An element of this age, in ns, reached the view.
  func visibleInView(age: Int64, in iteration: Iteration) {
    delivered.add()
    atView.record(age, in: iteration)
  }
}
