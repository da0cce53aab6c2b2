import RunRecords
import Testing

@testable import Reports

@Suite("Evidence for people")
struct EvidenceTests {
  @Test(
    "The end of a figure's name is its unit",
    arguments: [
      ("held-ns", 5_600_000_000, "held = 5.6 s"), ("payload-bytes", 65_536, "payload = 64 KiB"),
      ("cpu-percent", 0, "cpu = 0 %"), ("growth-bytes-per-second", 9_437_184, "growth = 9 MiB/s"),
      ("growth-per-second", 9_000, "growth-per-second = 9,000"), ("last-made", 100, "last-made = 100"),
    ])
  func units(name: String, value: Int64, text: String) {
    let finding = FindingRecord(
      name: "hung", count: 1, message: "", evidence: [name: value], place: nil, iterations: [],
      isExpected: true, details: nil)
    #expect(RunOutline(run: Fixture.usual(), glossary: Glossary()).evidence(finding) == [text])
  }
}
