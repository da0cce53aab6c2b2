internal import RunRecords
internal import Scenarios
internal import WorkloadInterface

extension CommandDeclaration {
  /// `weir list`.
  static let list = CommandDeclaration(
    name: "list", operands: "[KIND] [PATH]", count: 0...2,
    about: "Lists what there is.",
    details: [
      "KIND is pipelines (the default), strategies, flaws, scenarios, findings or metrics. Scenarios",
      "are looked for under PATH, by default Scenarios.",
      "`list flaws --format markdown` prints tables; with the runs of the flaws' scenarios under PATH,",
      "as `weir run Scenarios/flaws --out PATH` leaves them, with the evidence of each.",
    ],
    options: [.flaws, .listFormat]
  ) { invocation, tool in
    try ListCommand(invocation: invocation, tool: tool).run()
  }
}

/// Lists pipelines, strategies, flaws, scenarios, findings or metrics.
struct ListCommand {
  let invocation: Invocation
  let tool: Tool

  private enum Kind: String, CaseIterable { case pipelines, strategies, flaws, scenarios, findings, metrics }

  private static let scenarios = "Scenarios"

  func run() throws -> Int32 {
    var operands = invocation.operands[...]
    let kind = try kind(&operands)
    let isTable = invocation.value(.listFormat) == "markdown"
    if isTable, kind != .flaws {
      throw UsageError(
        "`list \(kind.rawValue)` has no form but text; `list flaws` has markdown", command: "list")
    }
    if let extra = operands.first, kind != .scenarios, !isTable {
      throw UsageError("`list \(kind.rawValue)` cannot use `\(extra)`", command: "list")
    }
    let lines =
      switch kind {
      case .pipelines: HelpText.table(declarations.map { ($0.name, $0.about) })
      case .strategies: byPipeline { $0.strategies.map { (Self.title($0), $0.about) } }
      case .flaws where isTable: try table(runs: operands.first)
      case .flaws: byPipeline { $0.flaws.map { ($0.name, Self.text($0)) } }
      case .scenarios: try scenarios(under: operands.first ?? Self.scenarios)
      case .findings: HelpText.table(findings.map { ($0.name, $0.about) })
      case .metrics: HelpText.table(metrics.map { ($0.name + Self.labels($0), $0.about) })
      }
    StandardStreams.print(lines.joined(separator: "\n") + "\n")
    return ExitCode.passed.rawValue
  }

  private func kind(_ operands: inout ArraySlice<String>) throws(UsageError) -> Kind {
    if invocation.has(.flaws) {
      guard operands.isEmpty || invocation.has(.listFormat) else {
        throw UsageError("`--flaws` and `\(operands[0])` cannot be listed at once", command: "list")
      }
      return .flaws
    }
    guard let word = operands.popFirst() else { return .pipelines }
    guard let kind = Kind(rawValue: word) else {
      throw UsageError(
        "there is no list of `\(word)`", nearest: NearestName.of(word, among: Kind.allCases.map(\.rawValue)),
        command: "list")
    }
    return kind
  }

  private var declarations: [WorkloadDeclaration] { tool.workloads.map(\.declaration) }

  private var findings: [FindingDeclaration] {
    var names: Set<String> = []
    return FindingCatalogue.all(with: declarations.flatMap(\.findings)).filter {
      names.insert($0.name).inserted
    }
  }

  private var metrics: [MetricDeclaration] {
    MetricCatalogue(workload: declarations.flatMap(\.metrics)).definitions.values.sorted { $0.name < $1.name }
  }

  /// One block of lines for each pipeline that has any.
  private func byPipeline(_ rows: (WorkloadDeclaration) -> [(String, String)]) -> [String] {
    declarations.flatMap { declaration in
      let rows = rows(declaration)
      return rows.isEmpty ? [] : [declaration.name + ":"] + HelpText.table(rows)
    }
  }

  private func scenarios(under path: String) throws -> [String] {
    let loading = ScenarioLoading(tool: tool)
    return HelpText.table(
      try loading.files([path]).map { file in
        let scenario = try? loading.load(file: file)
        return (file, scenario?.about ?? "(cannot be read: `weir validate \(file)` says why)")
      })
  }

  private func table(runs path: String?) throws -> [String] {
    FlawTable(declarations: declarations, runs: try path.map { try FlawTable.runs(in: $0) } ?? []).lines
  }

  private static func text(_ flaw: FlawDeclaration) -> String {
    "\(flaw.about); caught as \(flaw.finding)" + (flaw.report.map { "; see \($0)" } ?? "")
  }

  private static func title(_ strategy: StrategyDeclaration) -> String {
    let settings = strategy.parameters.map(\.name)
    return settings.isEmpty ? strategy.name : "\(strategy.name): { \(settings.joined(separator: ", ")) }"
  }

  private static func labels(_ metric: MetricDeclaration) -> String {
    metric.labels.isEmpty ? "" : "{\(metric.labels.joined(separator: "|"))}"
  }
}
