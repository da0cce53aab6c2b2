internal import Measurement
internal import WorkloadInterface

/// The figures of `flow`, made once for a cell.
struct FlowFigures: Sendable {
  let made, delivered, buffered, dropped, lost, refused: Counter
  let cancels, retries, skips, violations, workAfterCancel, refusals: Counter
  let inFlight: MaxGauge
  let makespan, bound, aboveBound, paused, held, cancelLatency: MeasuredDistribution

  init(_ recorder: Recorder) {
    made = recorder.counter("elements.made")
    delivered = recorder.counter("elements.delivered")
    buffered = recorder.counter("elements.buffered")
    dropped = recorder.counter("elements.dropped")
    lost = recorder.counter("elements.lost")
    refused = recorder.counter("elements.refused")
    cancels = recorder.counter("cancel.requested")
    retries = recorder.counter("retries")
    skips = recorder.counter("flow.skipped")
    violations = recorder.counter("flow.order-violations")
    workAfterCancel = recorder.counter("flow.work-after-cancel")
    refusals = recorder.counter("flow.refused")
    inFlight = recorder.gauge("flow.in-flight")
    makespan = recorder.distribution("flow.makespan")
    bound = recorder.distribution("flow.bound")
    aboveBound = recorder.distribution("flow.above-bound")
    paused = recorder.distribution("flow.paused")
    held = recorder.distribution("flow.held")
    cancelLatency = recorder.distribution("cancel.latency{stage=flow}")
  }

  /// Their declarations.
  static let declared: [MetricDeclaration] = [
    .init(
      "flow.makespan", .distribution, .nanoseconds, .lower, window: .measured,
      about: "Time from the start of a flow to its end, completed flows only, pauses included."),
    .init(
      "flow.bound", .distribution, .nanoseconds, .neutral, window: .measured,
      about:
        "The critical path of the same flow: the least time in which its preparations, without a limit, and its executions, one at a time in order, can be done."
    ),
    .init(
      "flow.above-bound", .distribution, .nanoseconds, .lower, window: .measured,
      about: "Time by which a completed flow that was never paused exceeded its critical path."),
    .init(
      "flow.paused", .distribution, .nanoseconds, .neutral, window: .measured,
      about: "Time that a flow was paused, as it says itself; flows with an outcome only."),
    .init(
      "flow.held", .distribution, .nanoseconds, .neutral, window: .measured,
      about: "Time that a prepared value waited for its turn to be executed."),
    .init(
      "flow.in-flight", .gauge, .count, .neutral, about: "Most preparations of one flow running at once."),
    .init(
      "flow.order-violations", .counter, .count, .lower,
      about: "Executions that began after one of a later step had begun."),
    .init(
      "flow.work-after-cancel", .counter, .count, .lower,
      about: "Preparations and executions that began after the owner's task was cancelled."),
    .init("flow.skipped", .counter, .count, .neutral, about: "Preparations that skipped."),
    .init(
      "flow.refused", .counter, .count, .neutral, about: "Lists of steps refused because they make no flow."),
  ]
}
