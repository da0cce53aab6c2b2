internal import Measurement
internal import SeededDraws
internal import StoryPipeline
internal import WorkloadInterface

/// Who looks at the registry while the workers store.
struct RegistryReaders: Sendable {
  private let pause: Distribution
  private let path: RegistryBehaviour.Path
  private let stream: DrawStream
  private let clock: CellClock
  private let reads: Counter
  private let behind: MeasuredDistribution

  init(_ behaviour: RegistryBehaviour, seed: UInt64, recorder: Recorder) {
    pause = behaviour.pause
    path = behaviour.path
    stream = DrawStream(seed: seed, name: "registry.readers")
    clock = recorder.clock
    reads = recorder.counter("reads")
    behind = recorder.distribution("reads.behind")
  }

  /// Looks again and again until its task is cancelled.
  func read(
    _ registry: any CandidateRegistry, _ observation: RegistryObservation, reader: Int, iteration: Iteration
  ) async {
    var look = 0
    while !Task.isCancelled {
      // A pause of 0 would never let virtual time go on.
      let wait = max(1, iteration.draws.nanoseconds(pause, stream, slot: reader, attempt: look))
      guard (try? await clock.sleep(until: clock.now() + wait)) != nil else { return }
      let (made, published) = observation.published
      let visible = path == .registry ? await registry.count() : published
      reads.add()
      behind.record(Int64(max(0, made - visible)), in: iteration)
      look += 1
    }
  }
}
