import Foundation
import RunRecords
import SeededDraws
import Testing

extension AcceptanceTests {
  @Suite("Queueing truth") struct QueueingTests {
    private struct Row {
      var index: Int
      var intended: Int64
      var end: Int64
    }

    private func rows(_ options: [String]) throws -> [Row] {
      try BuiltTool.withDirectory { directory in
        let out = directory + "/run"
        let outcome = try BuiltTool.run(
          ["run", "Scenarios/truth/queueing.yaml", "--quiet", "--out", out] + options)
        #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
        let names = try FileManager.default.contentsOfDirectory(atPath: out)
        let name = try #require(names.first { $0.hasPrefix("iterations") })
        let text = try String(contentsOfFile: out + "/" + name, encoding: .utf8)
        let lines = text.split(whereSeparator: \.isNewline)
        let header = try #require(lines.first).split(separator: ",").map(String.init)
        let columns = try ["index", "intended-start", "end"].map { try #require(header.firstIndex(of: $0)) }
        return try lines.dropFirst().map { line in
          let fields = line.split(separator: ",", omittingEmptySubsequences: false)
          return Row(
            index: try #require(Int(fields[columns[0]])), intended: try #require(Int64(fields[columns[1]])),
            end: try #require(Int64(fields[columns[2]])))
        }.sorted { $0.index < $1.index }
      }
    }

    @Test("sojourn times equal Lindley's recursion on the same draws, to the nanosecond")
    func lindley() throws {
      let service = try Distribution(.exponential(mean: 10_000_000))
      // The provider draws its latency from this stream, by iteration.
      let stream = DrawStream(seed: 5, name: "names").substream("latency")
      var free: Int64 = 0
      let rows = try rows(["--seed", "5"])
      #expect(rows.count > 40_000)
      var differences = 0
      for row in rows {
        free = max(row.intended, free) + service.sample(stream, iteration: row.index, slot: 0, attempt: 0)
        if row.end != free { differences += 1 }
      }
      #expect(differences == 0)
    }

    @Test("the mean over ten seeds is within 2 % of M/M/1, and Little's law holds exactly")
    func mean() throws {
      var means: [Double] = []
      for seed in 1...10 {
        let (code, run) = try BuiltTool.record(
          "Scenarios/truth/queueing.yaml",
          ["--seed", "\(seed)", "--set", "load.stages.0.for=2500s", "--set", "keep-iterations=false"])
        #expect(code == 0 || code == ExitCode.failed.rawValue)
        let cell = try #require(run.cells.first)
        #expect(cell.integer("iterations.in-system.area") == cell.integer("iterations.sojourn.sum"))
        #expect(cell.integer("iterations.sojourn.sum") ?? 0 > 0)
        means.append(try #require(cell.metrics["latency.iteration.mean"]).double)
      }
      let mean = means.reduce(0, +) / 10
      // 1 / (mu - lambda) = 1 / (100/s - 80/s).
      let theory = 50e6
      #expect(abs(mean / theory - 1) < 0.02, "\(mean / theory)")
    }

    @Test("a stall of 1.4 s shows in the corrected p99 and not in the service p99; both are printed")
    func stall() throws {
      let (code, run) = try BuiltTool.record("Scenarios/truth/stall.yaml")
      #expect(code == 0, "\(run.reasons)")
      let cell = try #require(run.cells.first)
      #expect(try #require(cell.integer("latency.iteration.p99")) > 1_000_000_000)
      #expect(try #require(cell.integer("service.iteration.p99")) < 20_000_000)
      let text = try BuiltTool.run([
        "run", "Scenarios/truth/stall.yaml", "--out", NSTemporaryDirectory() + "weir-stall-\(getpid())",
      ])
      try? FileManager.default.removeItem(atPath: NSTemporaryDirectory() + "weir-stall-\(getpid())")
      #expect(text.output.contains("latency.iteration.p99"))
      #expect(text.output.contains("service.iteration.p99"))
    }
  }
}
