import RunRecords
import Testing

@Suite("Contention collapse")
struct ContentionCollapseTests {
  private func name(_ rates: [(Int, Double)]) -> String? {
    ContentionCollapse.finding(in: rates.map { .init(callers: $0.0, rate: $0.1) }, of: "Registry")?.name
  }

  @Test("Throughput that falls below a third with many callers has collapsed")
  func collapsed() {
    #expect(
      name([(1, 4.9e6), (8, 1.5e6), (64, 0.9e6), (256, 0.6e6)]) == "contention-collapse")
  }

  @Test("Flat throughput, one slow cell, and points that do not tell are no collapse")
  func sound() {
    #expect(name([(1, 14e6), (8, 14e6), (64, 13e6)]) == nil)
    #expect(name([(1, 14e6), (8, 2e6), (64, 13e6)]) == nil)
    #expect(name([(1, 14e6), (4, 1e6)]) == nil)
    #expect(name([]) == nil)
  }
}
