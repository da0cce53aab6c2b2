internal import Synchronization
internal import WorkloadInterface

/// Flows that have ended, held by nobody here: which of them are still in memory.
final class EndedFlows: Sendable {
  static let keptAlive = FindingDeclaration(
    name: "flow-kept-alive",
    about: "Flows had ended and their owners were gone, and they were still in memory: they keep themselves.",
    advice: "Hold the flow weakly in what its own steps and handlers hold.")

  private struct Entry {
    weak var run: FlowRun?
    let iteration: Int
  }
  private struct State {
    var entries: [Entry] = []
    var limit = 64
  }
  private let state = Mutex(State())

  /// A flow has ended; its owner lets go of it.
  func add(_ run: FlowRun, iteration: Int) {
    state.withLock { state in
      state.entries.append(Entry(run: run, iteration: iteration))
      guard state.entries.count > state.limit else { return }
      state.entries.removeAll { $0.run == nil }
      state.limit = max(64, 2 * state.entries.count)
    }
  }

  /// One finding for each flow that is still there.
  func findings() -> [ReportedFinding] {
    state.withLock { $0.entries }.filter { $0.run != nil }.sorted { $0.iteration < $1.iteration }
      .map { ReportedFinding(Self.keptAlive.name, evidence: ["flows-kept": 1], iteration: $0.iteration) }
  }
}
