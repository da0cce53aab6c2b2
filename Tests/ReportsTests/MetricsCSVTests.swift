import Measurement
import Reports
import RunRecords
import Testing

@Suite("Figures as CSV")
struct MetricsCSVTests {
  /// Reads RFC 4180 as a spreadsheet would.
  static func parse(_ text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var field = String.UnicodeScalarView()
    var isQuoted = false
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"" where isQuoted && scalars.first == "\"": field.append(scalars.removeFirst())
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        row.append(String(field))
        field = .init()
      case "\r" where !isQuoted && scalars.first == "\n":
        scalars.removeFirst()
        rows.append(row + [String(field)])
        (row, field) = ([], .init())
      default: field.append(scalar)
      }
    }
    return rows
  }

  @Test("Hostile names come back as they were (B54)")
  func hostile() {
    let cells = Fixture.hostile.map { name -> CellRecord in
      var cell = CellRecord(
        strategy: name, variant: "sound", clock: "virtual", repetition: 1, verdict: .passed)
      cell.metrics = ["flush.count": .integer(3)]
      return cell
    }
    let rows = Self.parse(MetricsCSV.text(Fixture.run(cells)))
    #expect(rows.first == MetricsCSV.columns)
    #expect(rows.count == Fixture.hostile.count + 1)
    #expect(rows.allSatisfy { $0.count == MetricsCSV.columns.count })
    let names = rows.dropFirst().map { $0[0].hasPrefix("'") ? String($0[0].dropFirst()) : $0[0] }
    #expect(names == Fixture.hostile)
    #expect(rows.allSatisfy { row in row.allSatisfy { !"=+-@\t\r".contains($0.first ?? "x") } })
  }

  @Test("Zero is 0, what was not measured or has no samples is empty (B42, B46)")
  func absent() {
    var cell = CellRecord(strategy: "a", variant: "sound", clock: "virtual", repetition: 2, verdict: .passed)
    cell.metrics = ["tasks.orphaned": .integer(0), "latency.iteration.count": .integer(0)]
    cell.absent = ["cpu.user": "virtual"]
    cell.histograms = ["latency.iteration": LatencyHistogram()]
    let rows = Self.parse(MetricsCSV.text(Fixture.run([cell])))
    func row(_ metric: String, _ statistic: String) -> [String]? {
      rows.first { $0[4] == metric && $0[5] == statistic }
    }
    #expect(
      row("tasks.orphaned", "") == ["a", "sound", "virtual", "2", "tasks.orphaned", "", "0", "count", ""])
    #expect(row("cpu.user", "")?[6] == "")
    #expect(row("latency.iteration", "p99")?[6] == "")
    #expect(row("latency.iteration", "count")?[6] == "0")
  }

  @Test("Names are split from their statistics")
  func statistics() {
    var cell = CellRecord(strategy: "a", variant: "sound", clock: "virtual", repetition: 1, verdict: .passed)
    cell.metrics = [
      "latency.stage{stage=names}.p99.9": .integer(5), "overlap.p50": .integer(1),
      "overlap.count": .integer(9),
      "load.achieved": .real(2.5),
    ]
    let rows = Self.parse(MetricsCSV.text(Fixture.run([cell]))).dropFirst().map { Array($0[4...]) }
    #expect(
      rows == [
        ["latency.stage{stage=names}", "p99.9", "5", "nanoseconds", ""],
        ["load.achieved", "", "2.5", "per second", ""],
        ["overlap", "count", "9", "count", ""], ["overlap", "p50", "1", "count", ""],
      ])
  }
}
