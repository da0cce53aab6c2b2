internal import RunRecords
internal import WorkloadInterface

/// Turns a document into a scenario, reporting every fault on the way.
struct ScenarioChecker {
  let log: DiagnosticLog
  let workloads: [WorkloadDeclaration]
  private var values: ValueReader { ValueReader(log: log) }

  init(log: DiagnosticLog, workloads: [WorkloadDeclaration]) {
    self.log = log
    self.workloads = workloads
  }

  static let keys = [
    "name", "about", "pipeline", "variant", "clock", "seed", "schedule", "cancel", "load", "behaviour",
    "providers", "sink", "strategies", "repetitions", "objective", "grace", "watchdog", "keep-iterations",
    "gates", "expect",
  ]

  /// The checked scenario; nil when anything is at fault. With `only`, the other strategies and their gates
  /// are left out.
  func check(_ root: DocumentNode, file: String, only: [String]) -> Scenario? {
    guard let mapping = MappingReader(root, "the scenario", keys: Self.keys, log: log) else { return nil }
    let pipelines = workloads.map(\.name).sorted()
    let name = mapping.require("name", "letters, digits, `.`, `_` and `-`").flatMap(self.name)
    let pipeline = mapping.require("pipeline", pipelines.joined(separator: ", "))
    let load = mapping.require("load", "{ model: open, stages: [{ for: 10s, rate: 20/s }] }")
      .flatMap { LoadReader(log: log).read($0) }
    let settings = settings(mapping)
    guard let workload = pipeline.flatMap(workload) else { return nil }
    let variants = variants(mapping, workload, clocks: settings.clocks)
    let behaviour = behaviour(mapping, workload)
    let providers = providers(mapping, workload)
    let strategies = strategies(mapping, workload)
    let checker = GateChecker(log: log, workload: workload)
    let gates = mapping["gates"].map { checker.gates($0, strategies: strategies?.map(\.name)) } ?? []
    let expectations = mapping["expect"].map { checker.expectations($0) } ?? []
    let chosen = strategies.map { filter($0, only: only) } ?? []
    guard log.isEmpty, let name, let load else { return nil }
    let names = Set(chosen.map(\.name))
    let isOneStep = settings.cancel.map { $0.step != nil } ?? false
    let judged = gates.filter { gate in
      (gate.strategy.map(names.contains) ?? true) && !(isOneStep && gate.isOfSteps)
    }
    var scenario = Scenario(
      name: name, about: settings.about, pipeline: workload.name, variants: variants, clocks: settings.clocks,
      seed: settings.seed, schedule: settings.schedule, cancel: settings.cancel, load: load,
      behaviour: behaviour,
      providers: providers,
      sink: settings.sink, strategies: chosen, repetitions: settings.repetitions,
      objective: settings.objective,
      grace: settings.grace, watchdog: settings.watchdog, keepsIterations: settings.keepsIterations,
      gates: judged.map(\.text),
      expectations: expectations, resolvedText: "", file: file)
    let kept = judged.map(\.text)
    scenario.gatesLeftOut = gates.map(\.text).filter { !kept.contains($0) }
    scenario.resolvedText = ResolvedScenarioText(scenario: scenario, workload: workload).text
    return scenario
  }

  /// The pipeline that is named. One that is not known is a fault, and the rest is checked as that of the nearest name.
  private func workload(_ node: DocumentNode) -> WorkloadDeclaration? {
    let written = node.text ?? node.kindName
    if let workload = workloads.first(where: { $0.name == written }) { return workload }
    let known = workloads.map(\.name).sorted()
    log.reportUnknown("pipeline", written, at: node.position, among: known)
    let nearest = NearestName.of(written, among: known)
    if nearest == nil {
      log.report(
        "behaviour, providers, strategies and gates were not checked: what they can be is the pipeline's",
        at: node.position)
    }
    return workloads.first { $0.name == nearest }
  }

  private func name(_ node: DocumentNode) -> String? {
    guard let text = values.text(node, "name") else { return nil }
    let allowed = "up to 100 letters, digits, `.`, `_` and `-`, not beginning with `.`: it names a directory"
    let isSafe = text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "._-".utf8.contains(byte)
    }
    guard isSafe, !text.isEmpty, text.first != ".", text.utf8.count <= 100 else {
      log.report("`name` cannot be \(node.kindName)", at: node, allowed: allowed)
      return nil
    }
    guard text != "runs.json" else {
      log.report("`name` cannot be `runs.json`: a file of that name lies beside the directory", at: node)
      return nil
    }
    return text
  }

  private func variants(_ mapping: MappingReader, _ workload: WorkloadDeclaration, clocks: [ClockKind])
    -> [String]
  {
    guard let node = mapping["variant"] else { return ["sound"] }
    let known = ["sound"] + workload.flaws.map(\.name)
    var read: [String] = []
    for element in values.list(node, "variant", orOne: true, mayBeEmpty: false) ?? [] {
      guard let text = values.text(element, "variant") else { continue }
      guard known.contains(text) else {
        log.reportUnknown("variant", text, at: element.position, among: known)
        continue
      }
      if read.contains(text) { log.report("variant `\(text)` is listed twice", at: element) }
      read.append(text)
      guard let flaw = workload.flaws.first(where: { $0.name == text }) else { continue }
      for clock in clocks where !flaw.clocks.contains(clock) {
        let exists = flaw.clocks.map(\.rawValue).joined(separator: ", ")
        log.report(
          "flaw `\(text)` does not exist on the \(clock.rawValue) clock, which `clock` asks for", at: element,
          allowed: "clock: \(exists)")
      }
    }
    return read
  }

  private func behaviour(_ mapping: MappingReader, _ workload: WorkloadDeclaration) -> ParameterValues {
    guard let node = mapping["behaviour"] else { return ParameterReader.defaults(workload.behaviour) }
    return ParameterReader(log: log).read(node, "`behaviour`", workload.behaviour)?.values
      ?? ParameterValues([:])
  }

  private func providers(_ mapping: MappingReader, _ workload: WorkloadDeclaration) -> [String:
    ProviderScript]
  {
    var scripts = Dictionary(
      workload.providers.map { ($0.name, $0.defaultScript) }, uniquingKeysWith: { first, _ in first })
    guard let node = mapping["providers"],
      let given = MappingReader(node, "`providers`", keys: workload.providers.map(\.name), log: log)
    else { return scripts }
    for provider in workload.providers {
      guard let node = given[provider.name] else { continue }
      scripts[provider.name] = ProviderReader(log: log, provider: provider).read(node)
    }
    return scripts
  }

  private func strategies(_ mapping: MappingReader, _ workload: WorkloadDeclaration) -> [StrategySelection]? {
    let reader = StrategyReader(log: log, declared: workload.strategies)
    if let node = mapping["strategies"] { return reader.read(node) }
    guard let first = workload.strategies.first else {
      return [StrategySelection(name: "default", kind: "default")]
    }
    // Read like a list of one, so that a default that needs settings is reported.
    let node = DocumentNode(content: .scalar(first.name, isPlain: true), position: mapping.node.position)
    return reader.read(node)
  }

  /// Keeps the strategies that the command line names.
  private func filter(_ strategies: [StrategySelection], only: [String]) -> [StrategySelection] {
    let names = strategies.map(\.name)
    for name in only where !names.contains(name) {
      let source = SourceText(name: "--strategy", text: name)
      log.reportUnknown(
        "strategy", name, at: SourcePosition(source: source, line: 1, column: 1), among: names)
    }
    return only.isEmpty ? strategies : strategies.filter { only.contains($0.name) }
  }
}
