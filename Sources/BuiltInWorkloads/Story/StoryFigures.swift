internal import Measurement
internal import StoryPipeline
internal import WorkloadInterface

/// The figures of `story`, made once for a cell.
struct StoryFigures: Sendable {
  let elements: ElementFigures
  let selectionsMade, selectionsLost, selectionsRefused: Counter
  let cancels, retries, regenerations, failedSlots: Counter
  let timeToFirst, interElement: MeasuredDistribution
  private let stages, cancelLatencies: [ProviderKind: MeasuredDistribution]
  private let exitLatency: MeasuredDistribution
  private let lateCalls, lateElements: Counter

  init(_ recorder: Recorder, exit: StoryBehaviour.Exit) {
    elements = ElementFigures(recorder)
    selectionsMade = recorder.counter("selections.made")
    selectionsLost = recorder.counter("selections.lost")
    selectionsRefused = recorder.counter("selections.refused")
    cancels = recorder.counter("cancel.requested")
    retries = recorder.counter("retries")
    regenerations = recorder.counter("regenerations")
    failedSlots = recorder.counter("slots.failed")
    timeToFirst = recorder.distribution("time-to-first-element")
    interElement = recorder.distribution("inter-element")
    func byStage(_ name: String) -> [ProviderKind: MeasuredDistribution] {
      Dictionary(
        uniqueKeysWithValues: ProviderKind.allCases.map {
          ($0, recorder.distribution("\(name){stage=\($0.rawValue)}"))
        })
    }
    stages = byStage("latency.stage")
    cancelLatencies = byStage("cancel.latency")
    exitLatency = recorder.distribution("cancel.latency{how=\(exit.rawValue)}")
    lateCalls = recorder.counter("cancel.late-calls{how=\(exit.rawValue)}")
    lateElements = recorder.counter("cancel.late-elements{how=\(exit.rawValue)}")
  }

  /// A stage took so many ns, from its first start to the end of its stream.
  func stage(_ kind: ProviderKind, took nanoseconds: Int64, in iteration: Iteration) {
    stages[kind]?.record(nanoseconds, in: iteration)
  }

  /// A story ended so many ns after it was cancelled.
  func cancelled(in stage: ProviderKind, after nanoseconds: Int64, in iteration: Iteration) {
    cancelLatencies[stage]?.record(nanoseconds, in: iteration)
    exitLatency.record(nanoseconds, in: iteration)
  }

  /// What was asked for and made for a cancelled story when nobody wanted it any more.
  func cameLate(calls: Int64, elements: Int64) {
    lateCalls.add(calls)
    lateElements.add(elements)
  }
}
