internal import Foundation
internal import Reports
internal import RunRecords
internal import WorkloadInterface

/// The flaws of all pipelines as a table in Markdown: fault, name, evidence, public report.
struct FlawTable {
  /// The pipelines' declarations.
  let declarations: [WorkloadDeclaration]
  /// Runs of the flaws' scenarios, for the evidence.
  let runs: [RunRecord]

  /// The runs in a directory that `weir run DIRECTORY --out` has left.
  ///
  /// - Throws: `UsageError` when it holds none, `WorkFailure` when one cannot be read.
  static func runs(in path: String) throws -> [RunRecord] {
    let names = FileSystem.names(in: path).sorted().filter {
      FileSystem.kind("\(path)/\($0)/run.json") == .file
    }
    guard !names.isEmpty else {
      throw UsageError(
        "\(path) holds no runs: make them with `weir run Scenarios/flaws --out \(path)`", command: "list")
    }
    return try names.map { try RunDirectory.read("\(path)/\($0)/run.json") }
  }

  /// One table for each pipeline that has flaws, a row for each flaw, in the order of the declarations.
  var lines: [String] {
    declarations.filter { !$0.flaws.isEmpty }.flatMap { declaration in
      ["### \(declaration.name)", "", Self.row(head), Self.row(head.map { _ in "---" })]
        + declaration.flaws.map { Self.row(cells($0, of: declaration.name)) } + [""]
    }.dropLast()
  }

  private var head: [String] {
    ["fault"] + ["`variant:`", "Weir's name for it"] + (runs.isEmpty ? [] : ["evidence", "scenario"]) + [
      "public report"
    ]
  }

  private func cells(_ flaw: FlawDeclaration, of pipeline: String) -> [String] {
    let clocks =
      flaw.clocks.count == ClockKind.allCases.count
      ? "" : " (\(flaw.clocks.map(\.rawValue).joined(separator: ", ")) clock)"
    let mine = runs.filter { run in
      run.scenario.pipeline == pipeline && run.cells.contains { $0.variant == flaw.name }
    }
    var cells = [flaw.about, "`\(flaw.name)`\(clocks)", "`\(flaw.finding)`"]
    if !runs.isEmpty {
      cells.append(mine.lazy.compactMap { evidence(of: flaw, in: $0) }.first ?? "not run")
      cells.append(mine.map { "`\($0.scenario.name)`" }.joined(separator: ", "))
    }
    cells.append(flaw.report.map(Self.link) ?? "–")
    return cells
  }

  /// The figures of the flaw's finding; of the virtual clock where there are some, since they are exact there. On the
  /// real clock their names alone.
  private func evidence(of flaw: FlawDeclaration, in run: RunRecord) -> String? {
    let cells = run.cells.filter { $0.variant == flaw.name }
    for cell in cells.filter({ $0.clock == ClockKind.virtual.rawValue }) + cells {
      guard let finding = cell.findings.first(where: { $0.name == flaw.finding }) else { continue }
      let isExact = cell.clock == ClockKind.virtual.rawValue
      let figures = finding.evidence.sorted { $0.key < $1.key }.map {
        isExact ? "\($0.key) \($0.value)" : $0.key
      }
      return figures.joined(separator: ", ")
    }
    return nil
  }

  /// `owner/repository#number` and addresses as links.
  static func link(_ report: String) -> String {
    if let hash = report.lastIndex(of: "#"), !report.hasPrefix("http") {
      return
        "[\(report)](https://github.com/\(report[..<hash])/issues/\(report[report.index(after: hash)...]))"
    }
    let parts = report.split(separator: "/").map(String.init)
    if parts.count == 6, parts[1] == "github.com" {
      return "[\(parts[2])/\(parts[3])#\(parts[5])](\(report))"
    }
    return "[\(parts.count > 3 ? parts[1] + ", " + (parts.last ?? "") : report)](\(report))"
  }

  private static func row(_ cells: [String]) -> String {
    "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
  }
}
