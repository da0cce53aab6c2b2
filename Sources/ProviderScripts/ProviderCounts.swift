public import Measurement
public import WorkloadInterface

/// What a fake provider counts about itself.
///
/// Conservation: asked = served + failed + cancelled + calls still open.
public struct ProviderCounts: Sendable {
  /// Calls it was asked.
  public let asked: Counter
  /// Calls it answered.
  public let served: Counter
  /// Elements it made: one for each answered call, each element of a stream.
  public let elements: Counter
  /// Calls that failed as scripted, of all kinds.
  public let failed: Counter
  /// Calls that failed, by kind; the counters are shared by all providers of a recorder.
  public let failedByKind: [FailureScript.Kind: Counter]
  /// Marks the same in the cell's timeline.
  let faults: [FailureScript.Kind: Mark]
  /// Calls that ended because their caller was cancelled.
  public let cancelled: Counter
  /// Calls open at once.
  public let inFlight: MaxGauge
  /// Calls that came after the consumer had left; shared by all providers of a recorder.
  public let askedAfterLeft: Counter
  /// Elements and answers made after the consumer had left.
  public let servedAfterLeft: Counter
  /// The same, shared by all providers of a recorder.
  public let lateElements: Counter
  /// From a consumer's cancel to the end of each call that was open then or begun later.
  public let afterCancel: MeasuredDistribution?
  /// From a call's arrival to its turn, of a provider of limited capacity.
  public let waits: MeasuredDistribution?

  /// Counters of their own, for a provider outside a cell.
  public init() {
    asked = Counter()
    served = Counter()
    elements = Counter()
    failed = Counter()
    var kinds: [FailureScript.Kind: Counter] = [:]
    for kind in FailureScript.Kind.allCases { kinds[kind] = Counter() }
    failedByKind = kinds
    faults = [:]
    cancelled = Counter()
    inFlight = MaxGauge()
    askedAfterLeft = Counter()
    servedAfterLeft = Counter()
    lateElements = Counter()
    afterCancel = nil
    waits = nil
  }

  /// The counters of a cell's recorder, under the catalogue's names with the label `provider`; `hasPlaces` says whether
  /// calls of the provider may have to wait for their turn.
  public init(recorder: Recorder, provider: String, hasPlaces: Bool = false) {
    func counter(_ name: String) -> Counter { recorder.counter("\(name){provider=\(provider)}") }
    asked = counter("provider.calls")
    served = counter("provider.served")
    elements = counter("provider.elements")
    failed = counter("provider.failures")
    var kinds: [FailureScript.Kind: Counter] = [:]
    for kind in FailureScript.Kind.allCases {
      kinds[kind] = recorder.counter("provider.failures{kind=\(kind.rawValue)}")
    }
    failedByKind = kinds
    faults = Dictionary(
      uniqueKeysWithValues: FailureScript.Kind.allCases.map { kind in
        (kind, recorder.mark("fault: \(kind.rawValue) of \(provider)"))
      })
    cancelled = counter("provider.cancelled")
    inFlight = recorder.gauge("provider.in-flight{provider=\(provider)}")
    askedAfterLeft = recorder.counter("cancel.late-calls")
    servedAfterLeft = counter("provider.after-consumer-left")
    lateElements = recorder.counter("cancel.late-elements")
    afterCancel = recorder.distribution("cancel.call-latency{provider=\(provider)}")
    waits = hasPlaces ? recorder.distribution("provider.wait{provider=\(provider)}") : nil
  }
}
