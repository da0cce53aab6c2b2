import FlawedStories
import Measurement
import StoryPipeline
import Testing
import WorkloadInterface

@testable import BuiltInWorkloads

@Suite("The handover workload (B05)")
struct HandoverWorkloadTests {
  private func run(_ flaw: HandoverFlaw?, senders: Int, cancelled: Int) async throws -> Harness.Result {
    try await Harness(
      workload: HandoverWorkload(), strategy: StrategySelection(name: "rendezvous", kind: "rendezvous"),
      flaw: flaw?.rawValue,
      behaviour: [
        "senders": .integer(senders), "cancelled": .integer(cancelled), "after": .duration(50_000_000),
        "patience": .duration(1_000_000_000),
      ]
    ).run()
  }

  @Test("of those that wait, the cancelled end, and the others wait on until they are read")
  func sound() async throws {
    let result = try await run(nil, senders: 5, cancelled: 2)
    #expect(result.findings.isEmpty, "\(result.findings)")
    #expect(result["elements.made"] == 20)
    #expect(result["elements.dropped"] == 8)
    #expect(result["elements.delivered"] == 12)
    #expect(result.histograms["cancel.latency{stage=send}"]?.count == 8)
  }

  @Test("a deaf sender is found with the time it has waited")
  func deaf() async throws {
    let result = try await run(.deafSender, senders: 1, cancelled: 1)
    #expect(result.findings.map(\.name) == ["sender-never-resumed"])
    let finding = try #require(result.findings.first)
    #expect(finding.count == 4 && finding.evidence["never-resumed"] == 4)
    #expect((finding.evidence["waited-after-cancel-ns"] ?? 0) >= 4_000_000_000)
    let words = /sender 1 suspended since \d+\.\d\d s, cancelled at \d+\.\d\d s, not resumed by \d+\.\d\d s/
    #expect(try words.wholeMatch(in: finding.details.first ?? "") != nil, "\(finding.details)")
  }

  @Test("two senders wait, one is cancelled, both end")
  func together() async throws {
    let result = try await run(.cancelEndsAll, senders: 2, cancelled: 1)
    #expect(result.findings.map(\.name) == ["cancel-ended-others"])
    let finding = try #require(result.findings.first)
    #expect(finding.evidence == ["senders": 8, "cancelled": 4, "ended": 8, "still-waiting": 0])
    #expect(finding.details == ["2 senders waited, 1 cancelled, 2 ended, 0 still waiting"])
    #expect(result["elements.delivered"] == 0)
  }

  @Test("more cannot be cancelled than there are")
  func settings() async {
    await #expect(throws: WorkloadError.self) { _ = try await run(nil, senders: 1, cancelled: 2) }
  }

  @Test("who is to end and who is not, by the figures alone")
  func judged() {
    var seen = SendersSeen()
    for number in 0..<3 { seen.came(number, at: 10_000_000) }
    seen.cancelled(0)
    func names() -> [String] {
      HandoverOracles.judge(
        seen, start: 0, cancelledAt: 1_000_000_000, now: 2_000_000_000, iteration: 0
      ).map(\.name)
    }
    #expect(names() == ["sender-never-resumed"])
    #expect(seen.awaiting == 2)
    seen.ended(0, at: 1_000_000_000)
    #expect(names().isEmpty)
    seen.ended(2, at: 1_000_000_000)
    #expect(names() == ["cancel-ended-others"])
    #expect(seen.awaiting == 1)
  }
}
