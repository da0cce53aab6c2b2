import RunRecords
import Testing

extension AcceptanceTests {
  @Suite("Conservation") struct ConservationTests {
    /// A cell that hung or crashed, where that is expected: its books were never closed.
    private static func wasKilled(_ cell: CellRecord) -> Bool {
      cell.findings.contains { ["hung", "crashed"].contains($0.name) && $0.isExpected }
    }

    @Test(
      "every arrival and every element is accounted for, in every cell of every scenario",
      arguments: BuiltTool.scenarios())
    func everywhere(scenario: String) throws {
      let (_, run) = try BuiltTool.record(scenario)
      #expect(run.cells.count == run.cellsPlanned)
      for cell in run.cells where !Self.wasKilled(cell) {
        let title = cell.title(amid: run.cells)
        func figure(_ name: String) throws -> Int64 { try #require(cell.integer(name), "\(title): \(name)") }
        let planned = try figure("arrivals.planned")
        let started = try figure("iterations.started")
        #expect(planned > 0)
        #expect(
          planned == started + (try figure("arrivals.dropped")) + (try figure("arrivals.queued")), "\(title)")
        let ends = try ["completed", "failed", "cancelled", "running"].map { try figure("iterations." + $0) }
        #expect(started == ends.reduce(0, +), "\(title)")
        // Pipelines without elements count none.
        if let made = cell.integer("elements.made") {
          let fates = ["delivered", "dropped", "buffered", "lost", "refused"]
          #expect(made == fates.reduce(0) { $0 + (cell.integer("elements." + $1) ?? 0) }, "\(title)")
        }
        #expect(!cell.findings.contains { $0.name == "conservation-broken" }, "\(title)")
      }
    }
  }
}
