internal import Measurement
internal import Synchronization
internal import TokenStreaming
internal import WorkloadInterface

/// The figures of `tokens`, made once for a cell.
struct TokenFigures: Sendable {
  let made, delivered, buffered, dropped, lost, refused: Counter
  let read, overlap, cancels, textKept, memoryAfterLeft: Counter
  let memory, depth: MaxGauge
  let timeToFirst, interElement, atReader, atView: MeasuredDistribution
  let queueing, generating, replying: MeasuredDistribution
  let engineStop, replyStop: MeasuredDistribution
  private let flushes: Counter
  private let flush: Mark
  private let causes: [FlushCause: Counter]
  private let flushSize, flushInterval: MeasuredDistribution
  private let endings: [String: Counter]
  private let rate: MaxGauge
  private let intervals = Counter()
  private let intervalTime = Counter()

  init(_ recorder: Recorder) {
    made = recorder.counter("elements.made")
    delivered = recorder.counter("elements.delivered")
    buffered = recorder.counter("elements.buffered")
    dropped = recorder.counter("elements.dropped")
    lost = recorder.counter("elements.lost")
    refused = recorder.counter("elements.refused")
    read = recorder.counter("tokens.read")
    overlap = recorder.counter("overlap")
    cancels = recorder.counter("cancel.requested")
    textKept = recorder.counter("replies.text-kept")
    memoryAfterLeft = recorder.counter("engine.memory-after-left")
    memory = recorder.gauge("engine.memory")
    depth = recorder.gauge("buffer.depth")
    timeToFirst = recorder.distribution("time-to-first-element")
    interElement = recorder.distribution("inter-element")
    atReader = recorder.distribution("staleness{at=reader}")
    atView = recorder.distribution("staleness{at=view}")
    queueing = recorder.distribution("latency.stage{stage=queue}")
    generating = recorder.distribution("latency.stage{stage=engine}")
    replying = recorder.distribution("latency.stage{stage=reply}")
    engineStop = recorder.distribution("cancel.latency{stage=engine}")
    replyStop = recorder.distribution("cancel.latency{stage=reply}")
    flushes = recorder.counter("flush.count")
    flush = recorder.mark("flush")
    causes = Dictionary(
      uniqueKeysWithValues: FlushCause.allCases.map {
        ($0, recorder.counter("flush.cause{cause=\($0.rawValue)}"))
      })
    flushSize = recorder.distribution("flush.size")
    flushInterval = recorder.distribution("flush.interval")
    endings = Dictionary(
      uniqueKeysWithValues: ["complete", "interrupted", "failed"].map {
        ($0, recorder.counter("replies{ending=\($0)}"))
      })
    rate = recorder.gauge("flush.rate")
  }

  /// A reply grew by an update, so many ns after the one before.
  func flushed(_ update: TextUpdate, after interval: Int64?, in iteration: Iteration) {
    flushes.add()
    flush.now(update.tokens.count)
    causes[update.cause]?.add()
    flushSize.record(Int64(update.tokens.count), in: iteration)
    guard let interval, update.cause != .end else { return }
    flushInterval.record(interval, in: iteration)
    intervals.add()
    intervalTime.add(interval)
  }

  /// A reply has ended.
  func ended(_ ending: ReplyEnding, keeping bytes: Int) {
    endings[ending.name]?.add()
    if case .complete = ending { return }
    textKept.add(Int64(bytes))
  }

  /// The cell is over: what is only known now.
  func finish() {
    let time = intervalTime.value
    if time > 0 { rate.set(Int64((Double(intervals.value) * 1e9 / Double(time)).rounded())) }
  }
}

extension ReplyEnding {
  /// A word for reports.
  var name: String {
    switch self {
    case .complete: "complete"
    case .interrupted: "interrupted"
    case .failed: "failed"
    }
  }
}
