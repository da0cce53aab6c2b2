import RunRecords
import Testing

extension AcceptanceTests {
  @Suite("Conservation") struct ConservationTests {
    @Test(
      "every arrival and every element is accounted for, in every cell of every scenario",
      arguments: BuiltTool.scenarios())
    func everywhere(scenario: String) throws {
      let (_, run) = try BuiltTool.record(scenario)
      #expect(run.cells.count == run.cellsPlanned)
      // What hung, as expected of it, was ended from outside and counted nothing.
      for cell in run.cells where !cell.findings.contains(where: { $0.name == "hung" }) {
        let title = cell.title(amid: run.cells)
        func figure(_ name: String) throws -> Int64 { try #require(cell.integer(name), "\(title): \(name)") }
        let planned = try figure("arrivals.planned")
        let started = try figure("iterations.started")
        #expect(planned > 0)
        #expect(
          planned == started + (try figure("arrivals.dropped")) + (try figure("arrivals.queued")), "\(title)")
        let ends = try ["completed", "failed", "cancelled", "running"].map { try figure("iterations." + $0) }
        #expect(started == ends.reduce(0, +), "\(title)")
        let fates = try ["delivered", "dropped", "buffered", "lost", "refused"].map {
          try figure("elements." + $0)
        }
        #expect(try figure("elements.made") == fates.reduce(0, +), "\(title)")
        #expect(!cell.findings.contains { $0.name == "conservation-broken" }, "\(title)")
      }
    }
  }
}
