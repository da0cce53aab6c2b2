import Foundation
import Testing

@testable import RunRecords

@Suite("Figures of a run")
struct MetricValueTests {
  @Test("what is no number is never stored: nothing is told from zero")
  func finite() {
    #expect(MetricValue.finite(.nan) == nil)
    #expect(MetricValue.finite(.infinity) == nil)
    #expect(MetricValue.finite(0.0 / 0.0) == nil)
    #expect(MetricValue.finite(0) == .real(0))
  }

  @Test("whole numbers are written whole and read back exactly")
  func coding() throws {
    for value in [MetricValue.integer(0), .integer(.max), .integer(-1), .real(0.25)] {
      let data = try JSONEncoder().encode([value])
      #expect(try JSONDecoder().decode([MetricValue].self, from: data) == [value])
    }
    #expect(String(decoding: try JSONEncoder().encode([MetricValue.integer(5)]), as: UTF8.self) == "[5]")
  }
}
