import SeededDraws
import WorkloadInterface

/// The arithmetic of a provider script: when a call that begins service at a given time does what.
struct CallScript: Sendable {
  let script: ProviderScript
  let failures: FailureSchedule
  private let stalls: StallSchedule
  private let latency: DrawStream
  private let work: DrawStream

  init(_ script: ProviderScript, seed: UInt64, provider: String) {
    self.script = script
    let stream = DrawStream(seed: seed, name: provider)
    latency = stream.substream("latency")
    work = stream.substream("cpu")
    failures = FailureSchedule(script.failures, stream: stream.substream("failures"))
    stalls = StallSchedule(script.stalls)
  }

  /// When service really begins: a stalled provider begins nothing.
  func begin(_ time: Int64) -> Int64 { stalls.outside(time) }

  /// When a call that began service at `start` is answered; one due in a stall is answered at its end.
  func answer(from start: Int64, _ iteration: Int, _ slot: Int, _ attempt: Int) -> Int64 {
    stalls.outside(
      start &+ script.latency.sample(latency, iteration: iteration, slot: slot, attempt: attempt))
  }

  /// When the first element of a stream comes.
  func firstToken(from start: Int64, _ iteration: Int, _ slot: Int, _ attempt: Int) -> Int64 {
    let distribution = script.firstToken ?? script.latency
    return stalls.outside(
      start &+ distribution.sample(latency, iteration: iteration, slot: slot, attempt: attempt))
  }

  /// When element `index` (1 and up) of a stream comes, after the one before it.
  func nextToken(
    after previous: Int64, index: Int, _ iteration: Int, _ slot: Int, _ attempt: Int
  ) -> Int64 {
    guard let between = script.betweenTokens else { return previous }
    return stalls.outside(
      previous &+ between.sample(latency, iteration: iteration, slot: slot, attempt: attempt, index: index))
  }

  /// Processor time that a call takes, in ns.
  func work(_ iteration: Int, _ slot: Int, _ attempt: Int) -> Int64 {
    script.cpu?.sample(work, iteration: iteration, slot: slot, attempt: attempt) ?? 0
  }

  /// The scripted value of a slot or of an element.
  func value(_ index: Int) -> String? {
    script.values.isEmpty ? nil : script.values[index % script.values.count]
  }
}
