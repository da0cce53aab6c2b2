import StoryPipeline
import Testing
import WorkloadInterface

@testable import BuiltInWorkloads

/// The oracles judge by order: what they must see, and what they must let pass on the slowest machine.
@Suite("Oracles")
struct OracleTests {
  private let quiet = StoryEnd(
    hasEnded: true, tableEntries: 0, openCalls: 0, openWorkers: 0, isModelAlive: false)

  /// A worker for names runs.
  private let running = StoryEvent.workerStarted(.names)

  private func call(_ slot: Int, attempt: Int = 0, kind: ProviderKind = .names) -> ProviderCall {
    ProviderCall(kind: kind, slot: slot, attempt: attempt)
  }

  private func names(
    _ events: [StoryEvent], at end: StoryEnd? = nil, strategy: RegistryStrategy = .perElement
  ) -> [String] {
    var oracles = StoryOracles(strategy)
    for event in events { oracles.see(event) }
    return oracles.findings(at: end ?? quiet, iteration: 0).map(\.name)
  }

  @Test("A call under way when the stop comes is nobody's fault, a call after its answer is")
  func askedAfterCancel() {
    let underWay: [StoryEvent] = [
      .callStarted(call(0), task: 1), .stopped, .callEnded(call(0), .succeeded, task: 1),
    ]
    #expect(names(underWay).isEmpty)
    #expect(names(underWay + [.callStarted(call(1), task: 1)]) == ["asked-after-cancel"])
    // A stage that looked just before the stop, and asked just after it.
    #expect(
      names([
        .callStarted(call(0), task: 1), .callEnded(call(0), .succeeded, task: 1), .stopped,
        .callStarted(call(1), task: 1), .callEnded(call(1), .succeeded, task: 1),
      ]).isEmpty)
    // The next stage, in a task that lies where the stopped one lay.
    #expect(names(underWay + [.callStarted(call(0, kind: .titles), task: 1)]).isEmpty)
  }

  @Test("A replaced producer may end its call, and not make another")
  func twoProducers() {
    let replaced: [StoryEvent] = [
      .callStarted(call(0), task: 1), .restarting, .callStarted(call(0, attempt: 1), task: 2), .restarted,
      .callEnded(call(0), .succeeded, task: 1), .callEnded(call(0, attempt: 1), .succeeded, task: 2),
      .callStarted(call(1, attempt: 1), task: 2),
    ]
    #expect(names(replaced).isEmpty)
    #expect(names(replaced + [.callStarted(call(1), task: 1)]) == ["two-producers"])
    // It is not reported a second time when the story is cancelled.
    let cancelled: [StoryEvent] = [
      .callStarted(call(1), task: 1), .stopped, .callEnded(call(1), .succeeded, task: 1),
      .callStarted(call(2), task: 1),
    ]
    #expect(names(replaced + cancelled) == ["two-producers"])
  }

  @Test("A failure is told, or it came just before a stop")
  func failureSwallowed() {
    let failed: [StoryEvent] = [.callStarted(call(2), task: 1), .callEnded(call(2), .failed, task: 1)]
    #expect(names(failed + [.slotFailed(.names, slot: 2, isCancellation: false)]).isEmpty)
    #expect(names(failed) == ["failure-swallowed"])
    #expect(names(failed + [.stopped]).isEmpty)
    #expect(names(failed + [.callStarted(call(3), task: 1), .stopped]) == ["failure-swallowed"])
  }

  @Test("A story is complete when the last call for its prose succeeded")
  func proseFailureAsEnd() {
    func prose(_ attempt: Int, _ outcome: CallOutcome) -> [StoryEvent] {
      let call = call(0, attempt: attempt, kind: .prose)
      return [.callStarted(call, task: 1), .callEnded(call, outcome, task: 1)]
    }
    #expect(names(prose(0, .failed) + prose(1, .succeeded) + [.written]).isEmpty)
    #expect(names(prose(0, .failed) + [.written]) == ["failure-taken-for-end"])
  }

  @Test("A failure must be of a slot whose call failed")
  func wrongSlot() {
    let failed: [StoryEvent] = [.callStarted(call(2), task: 1), .callEnded(call(2), .failed, task: 1)]
    #expect(names(failed + [.slotFailed(.names, slot: 2, isCancellation: false)]).isEmpty)
    #expect(names(failed + [.slotFailed(.names, slot: 3, isCancellation: false)]) == ["wrong-slot"])
    #expect(names(failed + [.slotFailed(.titles, slot: 2, isCancellation: false)]) == ["wrong-slot"])
    let made = StoryEvent.made(StoryIdentifiers().identifier(for: call(4)), slot: 3)
    #expect(names([running, made]) == ["wrong-slot"])
  }

  @Test("A cancelled call is no failure")
  func cancellation() {
    #expect(
      names([.slotFailed(.names, slot: 0, isCancellation: true)]) == ["cancellation-reported-as-failure"])
  }

  @Test("A stage may be one element and one batch ahead, and no more")
  func runAhead() {
    func ahead(_ count: Int) -> [StoryEvent] {
      [running] + (0..<count).map { .made(StoryIdentifiers().identifier(for: call($0)), slot: $0) }
        + [.callStarted(call(count), task: 1)]
    }
    #expect(names(ahead(1)).isEmpty)
    #expect(names(ahead(2)) == ["unbounded-run-ahead"])
    #expect(names(ahead(5), strategy: .batched(.size(4))).isEmpty)
    #expect(names(ahead(6), strategy: .batched(.size(4))) == ["unbounded-run-ahead"])
  }

  @Test("A view model may end the update under way")
  func retained() {
    #expect(names([.viewUpdated, .leftScreen, .viewUpdated]).isEmpty)
    #expect(names([.leftScreen, .viewUpdated, .viewUpdated]) == ["retained-view-model"])
    let alive = StoryEnd(
      hasEnded: true, tableEntries: 0, openCalls: 0, openWorkers: 0, isModelAlive: true)
    #expect(names([.leftScreen], at: alive) == ["retained-view-model"])
  }

  @Test("What is missing at the end is judged once the story has ended")
  func missing() {
    func end(_ hasEnded: Bool, entries: Int = 0, open: Int = 0) -> StoryEnd {
      StoryEnd(
        hasEnded: hasEnded, tableEntries: entries, openCalls: open, openWorkers: 0, isModelAlive: false)
    }
    let made = [StoryEvent.made(StoryIdentifiers().identifier(for: call(0)), slot: 0)]
    #expect(names(made, at: end(true)) == ["lost-last-flush"])
    #expect(names(made, at: end(false)).isEmpty)
    #expect(names([], at: end(true, entries: 1)) == ["ended-task-kept"])
    #expect(names([], at: end(true, entries: 1, open: 1)).isEmpty)
  }

  @Test("What a worker holds that still runs is not lost, and its entry not kept")
  func held() {
    func end(entries: Int) -> StoryEnd {
      StoryEnd(hasEnded: true, tableEntries: entries, openCalls: 0, openWorkers: 1, isModelAlive: false)
    }
    let name = StoryIdentifiers().identifier(for: call(0))
    let made: [StoryEvent] = [running, .made(name, slot: 0)]
    #expect(names(made).isEmpty)
    #expect(names(made + [.workerStarted(.titles), .workerEnded(.names)]) == ["lost-last-flush"])
    // Two run, one has ended: which of them had it is not known.
    #expect(names(made + [running, .workerEnded(.names)]).isEmpty)
    // Nobody had it before the next one was started.
    let left = made + [.workerEnded(.names), running]
    #expect(names(left) == ["lost-last-flush"])
    #expect(names(left + [.dropped(name)]).isEmpty)
    #expect(names([], at: end(entries: 1)).isEmpty)
    #expect(names([], at: end(entries: 2)) == ["ended-task-kept"])
  }

  @Test("What a stage lost is told by the numbers of its last element made and its last stored")
  func lastNumbers() {
    let identifiers = StoryIdentifiers()
    let made = (0..<5).map { (StoryIdentifiers().identifier(for: call($0)), $0) }
    let title = identifiers.identifier(for: call(0, kind: .titles))
    var oracles = StoryOracles(.batched(.size(3)))
    for event in made.map({ StoryEvent.made($0.0, slot: $0.1) }) + made[..<3].map({ .stored($0.0) }) {
      oracles.see(event)
    }
    oracles.see(.made(title, slot: 0))
    oracles.see(.stored(title))
    #expect(
      oracles.findings(at: quiet, iteration: 0).first { $0.name == "lost-last-flush" }?.figures
        == ["elements-lost": 2, "last-made": 5, "last-stored": 3])
  }

  @Test("Lost choices and lost cancels are what the user saw")
  func user() {
    #expect(names([.chose(missing: 0)]).isEmpty)
    #expect(names([.chose(missing: 2)]) == ["lost-selection"])
    #expect(names([.cameAfterCancel]) == ["lost-cancel"])
  }
}
