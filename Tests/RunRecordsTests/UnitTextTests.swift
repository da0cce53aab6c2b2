import Testing
import WorkloadInterface

@testable import RunRecords

@Suite("Figures with units")
struct UnitTextTests {
  @Test(
    "durations are read exactly",
    arguments: [
      ("0s", 0), ("250ms", 250_000_000), ("1.5s", 1_500_000_000), ("1.4s", 1_400_000_000), ("2us", 2_000),
      ("2µs", 2_000), ("0.5ns", nil), ("1.50s", 1_500_000_000), ("1min", 60_000_000_000),
      ("0.25h", 900_000_000_000), ("0.0000000001s", nil), ("1.00000000000000000000s", 1_000_000_000),
      ("", nil), ("5", nil), ("s", nil), (".5s", nil), ("5.s", nil), ("-1s", nil), ("+1s", nil),
      ("1e3s", nil),
      ("1 s", nil), ("1S", nil), ("1..5s", nil), ("9223372036s", 9_223_372_036_000_000_000),
      ("9223372037s", nil), ("9223372036.9s", nil), ("١s", nil), ("½s", nil), ("99999999999999999999s", nil),
    ] as [(String, Int64?)])
  func durations(_ text: String, _ expected: Int64?) {
    #expect((try? UnitText.duration(text)) == expected)
  }

  @Test(
    "sizes are read exactly, binary fractions too",
    arguments: [
      ("64KiB", 65_536), ("1.5KiB", 1_536), ("0.3KiB", nil), ("1MB", 1_000_000), ("1.5B", nil), ("1kb", nil),
      ("8GiB", 8_589_934_592),
    ] as [(String, Int64?)])
  func sizes(_ text: String, _ expected: Int64?) {
    #expect((try? UnitText.size(text)) == expected)
  }

  @Test("rates keep the fraction that was written")
  func rates() throws {
    #expect(try UnitText.rate("40/s") == Rate(millionths: 40_000_000))
    #expect(try UnitText.rate("0.4/s") == Rate(millionths: 400_000))
    #expect(try UnitText.rate("2/min") == Rate(millionths: 2_000_000, per: 60_000_000_000))
    for bad in ["40", "/s", "40/", "40/x", "40/s/s", "-1/s", "40 /s", "0.0000001/s", "s/40"] {
      #expect((try? UnitText.rate(bad)) == nil, "\(bad)")
    }
  }

  @Test("shares lie within 0 and 100 per cent and are plain decimals")
  func shares() throws {
    #expect(try UnitText.share("5%") == 0.05)
    #expect(try UnitText.share("0%") == 0)
    #expect(try UnitText.share("100%") == 1)
    for bad in ["5", "120%", "-1%", "nan%", "0x10%", "%", "+5%", "inf%", "5 %", "100.1%"] {
      #expect((try? UnitText.share(bad)) == nil, "\(bad)")
    }
  }

  @Test("the nearest name is near, and ties go to the first by name")
  func nearest() {
    #expect(NearestName.of("pipline", among: ["pipeline", "providers"]) == "pipeline")
    #expect(NearestName.of("raet", among: ["rate", "for"]) == "rate")
    #expect(NearestName.of("x", among: ["to", "for"]) == nil)
    #expect(NearestName.of("", among: ["to"]) == nil)
    #expect(NearestName.of("ab1", among: ["ab3", "ab2"]) == "ab2")
    #expect(NearestName.of(String(repeating: "a", count: 100_000), among: ["aaaa"]) == nil)
  }
}
