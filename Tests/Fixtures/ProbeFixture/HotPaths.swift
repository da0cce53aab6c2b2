import Glibc
import HeapProbe
import Measurement
import RuntimeProbe
import SeededDraws
import Synchronization

/// What runs at each hop, each value recorded and each draw, counted by the heap probe: it must allocate nothing.
final class HotPaths: Sendable {
  private static let rounds = 200_000

  private let sums = Atomic<Int64>(0)
  private let shared = SharedHistogram()
  private let draws = DrawStream(seed: 1, name: "hot paths")
  private let counters: HeapCounters
  private let kept = Mutex<[Int]>([])

  /// Prints `exact NAME` or `WRONG NAME MALLOCS` for each path. Ends with 3 where the heap is not measured.
  static func check() async -> Int32 {
    switch HeapCounters.shared {
    case .failure(let absence):
      print("absent: \(absence)")
      return 3
    case .success(let counters):
      do throws(ProbeAbsence) { return try await HotPaths(counters: counters).check() } catch {
        print("absent: \(error)")
        return 3
      }
    }
  }

  private init(counters: HeapCounters) { self.counters = counters }

  private func check() async throws(ProbeAbsence) -> Int32 {
    var wrong = 0
    // Looking allocates as well.
    let looking = measure { _ in }.mallocs
    func note(_ name: String, _ change: HeapChange) {
      let mallocs = Int64(change.mallocs) - Int64(looking)
      let isRight = mallocs.magnitude <= 20
      print("\(isRight ? "exact" : "WRONG") \(name): \(mallocs) mallocs in \(Self.rounds)")
      wrong += isRight ? 0 : 1
    }
    for (name, distribution) in Self.distributions { note("draw \(name)", draw(distribution)) }
    note("shared histogram", measure { shared.record(Int64($0) &* 977) })
    note("shared histogram from threads that are new to it", recordFromNewThreads())
    note("histogram", recordAlone())
    for mode in [ProbeMode.counting, .classifying] { note("hop, \(mode)", try await hop(mode)) }
    // A path that allocates is seen.
    let boxed = measure { index in kept.withLock { $0 = [index] } }
    if boxed.mallocs < UInt64(Self.rounds) {
      print("WRONG control: \(boxed.mallocs) mallocs seen in \(Self.rounds)")
      wrong += 1
    }
    return wrong == 0 ? 0 : 1
  }

  private static let distributions: [(String, Distribution)] = {
    do {
      return [
        ("constant", try Distribution(.constant(5))),
        ("uniform", try Distribution(.uniform(from: 1, to: 900))),
        ("exponential", try Distribution(.exponential(mean: 900))),
        ("lognormal", try Distribution(.lognormal(median: 90, p99: 900))),
        ("pareto", try Distribution(.pareto(minimum: 9, p99: 900))),
        ("sequence", try Distribution(.sequence([1, 2, 3]))),
      ]
    } catch { fatalError("\(error)") }
  }()

  private func measure(_ body: (Int) -> Void) -> HeapChange {
    for index in 0..<100 { body(index) }
    _ = counters.snapshot()
    let before = counters.snapshot()
    for index in 0..<Self.rounds { body(index) }
    return counters.snapshot().since(before)
  }

  private func draw(_ distribution: Distribution) -> HeapChange {
    measure { index in
      sums.wrappingAdd(distribution.sample(draws, iteration: index, slot: index % 7), ordering: .relaxed)
    }
  }

  private func recordAlone() -> HeapChange {
    var histogram = LatencyHistogram()
    return measure { histogram.record(Int64($0) &* 977) }
  }

  /// Each of 16 threads records one value; some come to a part of the histogram that no thread has used before. The
  /// threads are there before the first look and end after the last.
  private func recordFromNewThreads() -> HeapChange {
    let latecomers = Latecomers()
    let threads = (0..<16).map { _ in latecomers.startThread() }
    while latecomers.waiting.load(ordering: .acquiring) < 16 { usleep(100) }
    let before = counters.snapshot()
    latecomers.phase.store(1, ordering: .releasing)
    while latecomers.waiting.load(ordering: .acquiring) > 0 { usleep(100) }
    let change = counters.snapshot().since(before)
    latecomers.phase.store(2, ordering: .releasing)
    for thread in threads { pthread_join(thread, nil) }
    return change
  }

  /// Threads that wait, record one value when they are let go, and wait again.
  private final class Latecomers: Sendable {
    let histogram = SharedHistogram()
    let waiting = Atomic(0)
    let phase = Atomic(0)

    func startThread() -> pthread_t {
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { argument in
          if let argument { Unmanaged<Latecomers>.fromOpaque(argument).takeRetainedValue().run() }
          return nil
        }, Unmanaged.passRetained(self).toOpaque())
      precondition(code == 0, "no thread: \(code)")
      return thread
    }

    private func run() {
      waiting.add(1, ordering: .acquiringAndReleasing)
      while phase.load(ordering: .acquiring) < 1 { usleep(100) }
      histogram.record(977)
      waiting.subtract(1, ordering: .acquiringAndReleasing)
      while phase.load(ordering: .acquiring) < 2 { usleep(100) }
    }
  }

  private actor Till {
    var value = 0
    func hit() { value &+= 1 }
  }

  private func hop(_ mode: ProbeMode) async throws(ProbeAbsence) -> HeapChange {
    try Probe.start(mode: mode)
    return await Task.detached { [counters] in
      let till = Till()
      for _ in 0..<1_000 { await till.hit() }
      _ = counters.snapshot()
      let before = counters.snapshot()
      for _ in 0..<Self.rounds { await till.hit() }
      return counters.snapshot().since(before)
    }.value
  }
}
