import FlawedStories
import StoryPipeline
import Synchronization
import Testing
import WorkloadInterface

@testable import BuiltInWorkloads

/// Counts the lines that are written.
private final class CountingJournal: CandidateJournal {
  private let counts = Mutex<[Int]>([])
  var writes: [Int] { counts.withLock { $0 } }
  func write(lines: Int) { counts.withLock { $0.append(lines) } }
}

@Suite("A registry that keeps a journal")
struct JournalTests {
  private func journalled(_ parameters: [String: ParameterValue]) -> StrategySelection {
    StrategySelection(
      name: "journalled", kind: "journalled",
      parameters: ParameterValues(["write": .duration(10_000)].merging(parameters) { $1 }))
  }

  private func harness(
    _ flaw: RegistryFlaw?, _ parameters: [String: ParameterValue], _ more: [String: ParameterValue] = [:]
  ) -> Harness {
    Harness(
      workload: RegistryWorkload(), strategy: journalled(parameters), flaw: flaw?.rawValue,
      behaviour: ["workers": .integer(3), "elements": .integer(10)].merging(more) { $1 })
  }

  static let variants: [RegistryFlaw?] = [nil] + RegistryFlaw.allCases

  @Test("Each variant makes, stores and shows every element once", arguments: variants)
  func conservation(flaw: RegistryFlaw?) async throws {
    let parameters: [String: ParameterValue] = [
      "words": .integer(3), "compact": .integer(5), "commit": .duration(2_000_000),
    ]
    let result = try await harness(flaw, parameters, ["priority": .choice("high")]).run()
    #expect(result.outcomes == Array(repeating: .completed, count: 4))
    #expect(result["elements.stored"] == 120)
    #expect(result["elements.delivered"] == 120)
    #expect(result.books.made == result.books.accounted)
    #expect(result.roles?["JournalledRegistry"] == "registry")
  }

  private func candidate(_ id: UInt64) -> Candidate {
    .name(
      CharacterNameCandidate(
        id: CandidateID(id), slot: 0, archetype: nil, name: CharacterName("A", explanation: "")))
  }

  @Test("What is written follows from the flaw: one line, ten, all, or one for each who waits")
  func lines() async throws {
    func writes(_ flaw: RegistryFlaw?) async -> [Int] {
      let journal = CountingJournal()
      let sound = JournalComponents()
      let registry = (flaw?.components(in: sound) ?? sound).makeRegistry(journal, 0)
      for id in 0..<3 { await registry.store(candidate(UInt64(id))) }
      return journal.writes
    }
    #expect(await writes(nil) == [1, 1, 1])
    #expect(await writes(.writeForEachField) == Array(repeating: 1, count: 30))
    #expect(await writes(.wholeTableWritten) == [1, 2, 3])
    // Nobody waits.
    #expect(await writes(.lineForEachWaiter) == [1, 1, 1])
  }

  @Test("Iterations that share a registry keep elements of different identities there")
  func shared() async throws {
    let first = StageSlotPlace(first: 10, before: 0)
    let second = StageSlotPlace(first: 10, before: 30)
    let call = ProviderCall(kind: .names, slot: 2, attempt: 0)
    #expect(first.slot(of: call) == second.slot(of: call))
    #expect(first.identifier(for: call) == CandidateID(12))
    #expect(second.identifier(for: call) == CandidateID(42))
    let result = try await harness(nil, [:], ["shared": .boolean(true)]).run()
    #expect(result["elements.stored"] == 120)
    #expect(result.books.made == result.books.accounted)
  }

  @Test("A journal is refused in virtual time, and its flaws without a journal")
  func limits() throws {
    func cell(_ strategy: StrategySelection, _ clock: ClockKind, flaw: String? = nil) throws -> CellContext {
      CellContext(
        strategy: strategy, flaw: flaw, clock: clock, seed: 1,
        providers: ["names": try Harness.script(milliseconds: 1)], behaviour: ParameterValues([:]),
        sink: SinkDescription(), recorder: Recorder(clock: CellClock()))
    }
    let workload = RegistryWorkload()
    #expect(throws: WorkloadError.self) { try workload.makeSession(cell(journalled([:]), .virtual)) }
    #expect(throws: WorkloadError.self) {
      try workload.makeSession(cell(.perElement, .real, flaw: "whole-table-written"))
    }
    #expect(throws: Never.self) {
      try workload.makeSession(cell(journalled([:]), .real, flaw: "whole-table-written"))
    }
  }
}
