import RunRecords
import Testing
import WorkloadInterface

@testable import RunEngine

@Suite("Figures of a finding")
struct FindingFiguresTests {
  @Test("A record holds what is summed and what the first report alone had")
  func figures() {
    let recorder = Recorder(clock: CellClock())
    for last: Int64 in [97, 12] {
      recorder.report(
        ReportedFinding("lost", evidence: ["elements-lost": 3], firstSighting: ["last-delivered": last]))
    }
    let workload = WorkloadDeclaration(name: "none", about: "", strategies: [], providers: [])
    #expect(
      recorder.findings().map { RecordAssembly.record($0, workload).evidence }
        == [["elements-lost": 6, "last-delivered": 97]])
  }
}
