import Reports
import RunRecords
import Testing
import WorkloadInterface

@Suite("Figures for people")
struct MetricFormatTests {
  @Test(
    "Durations",
    arguments: [
      (0, "0 ns"), (850, "850 ns"), (1_234, "1.23 µs"), (12_345, "12.3 µs"), (999_499, "999 µs"),
      (999_600, "1 ms"), (1_230_000, "1.23 ms"), (999_999_999, "1 s"), (4_500_000_000, "4.5 s"),
      (123_000_000_000, "123 s"), (200_000_000_000, "3 min 20 s"), (7_500_000_000_000, "2 h 5 min"),
      (-1_230_000, "-1.23 ms"),
    ])
  func durations(value: Double, text: String) {
    #expect(MetricFormat.duration(value) == text)
  }

  @Test(
    "Numbers keep three significant figures and are never rounded to zero",
    arguments: [
      (0, "0"), (12_345, "12,345"), (99.96, "100"), (42.0, "42"), (0.204, "0.204"), (0.0001234, "0.000123"),
      (0.9996, "1"), (9.999, "10"), (1e-9, "<0.000001"), (-2.5, "-2.5"), (.nan, "n/a"), (.infinity, "n/a"),
    ])
  func numbers(value: Double, text: String) {
    #expect(MetricFormat.number(.real(value)) == text)
  }

  @Test("Whole numbers keep all digits")
  func whole() {
    #expect(MetricFormat.number(.integer(1_234_567)) == "1,234,567")
    #expect(MetricFormat.number(.integer(.min)) == "-9,223,372,036,854,775,808")
    #expect(MetricFormat.text(.integer(1_536), unit: .bytes) == "1.5 KiB")
    #expect(MetricFormat.text(.real(39.5), unit: .perSecond) == "39.5/s")
  }

  @Test(
    "Ratios",
    arguments: [
      (0.2, "×0.20"), (1, "×1.00"), (12.345, "×12.3"), (0.0834, "×0.083"), (0, "×0.00"), (0.0001, "×<0.001"),
    ])
  func ratios(value: Double, text: String) {
    #expect(MetricFormat.ratio(value) == text)
  }

  @Test("No ratio is n/a")
  func noRatio() {
    #expect(MetricFormat.ratio(nil) == "n/a")
    #expect(MetricFormat.ratio(.nan) == "n/a")
  }
}
