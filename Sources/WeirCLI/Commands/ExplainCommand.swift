internal import Measurement
internal import Reports
internal import RunRecords
internal import WorkloadInterface

extension CommandDeclaration {
  /// `weir explain`.
  static let explain = CommandDeclaration(
    name: "explain", operands: "NAME…", count: 1...8,
    about:
      "Explains a metric, finding, flaw, strategy, verdict, exit code, the timeline or any word that is printed.",
    details: [
      "  weir explain latency.iteration.p99", "  weir explain orphaned-task", "  weir explain inconclusive",
      "  weir explain batched-5", "  weir explain coverage", "  weir explain start lateness p99",
      "  weir explain 6", "  weir explain exit-codes", "  weir explain timeline",
    ]
  ) { invocation, tool in
    StandardStreams.print(try Explanations(tool: tool).text(forAll: invocation.operands))
    return ExitCode.passed.rawValue
  }
}

/// Explanations by name, made from the catalogues and the workloads' declarations.
struct Explanations {
  let tool: Tool

  private static let allCodes = "exit-codes"

  private var declarations: [WorkloadDeclaration] { tool.workloads.map(\.declaration) }
  private var catalogue: MetricCatalogue { MetricCatalogue(workload: declarations.flatMap(\.metrics)) }
  private var findings: [FindingDeclaration] { FindingCatalogue.all(with: declarations.flatMap(\.findings)) }

  /// The explanation of a name; nil when nothing is called that. A name with two meanings gets both.
  func text(for name: String) -> String? {
    if name == Self.allCodes { return codes(ExitCode.allCases) }
    if name == TimelineExplanation.name { return TimelineExplanation.text }
    if let number = Int32(name) { return ExitCode(rawValue: number).map { codes([$0]) } }
    let parts =
      [verdict(name), finding(name), flaw(name), metric(name), pipeline(name)].compactMap { $0 }
      + strategies(name) + [word(name), percentile(name)].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "\n")
  }

  /// The explanation of words that are one name together, or a name each.
  ///
  /// - Throws: `UsageError` for the first name that is none.
  func text(forAll words: [String]) throws(UsageError) -> String {
    let whole = words.joined(separator: " ")
    if let text = text(for: whole) { return text }
    let texts = words.map(text)
    let isSeveral = words.count > 1 && texts.contains { $0 != nil }
    guard isSeveral, let index = texts.firstIndex(where: { $0 == nil }) else {
      if isSeveral { return texts.compactMap { $0 }.joined(separator: "\n") }
      throw UsageError("nothing here is called `\(whole)`", nearest: nearest(to: whole), command: "explain")
    }
    throw UsageError(
      "nothing here is called `\(words[index])`", nearest: nearest(to: words[index]), command: "explain")
  }

  /// The nearest name that could be explained.
  func nearest(to name: String) -> String? {
    let names =
      Array(catalogue.definitions.keys) + findings.map(\.name) + declarations.flatMap { $0.flaws.map(\.name) }
      + declarations.flatMap { [$0.name] + $0.strategies.map(\.name) } + ReportWords.all.map(\.name)
      + Verdict.allCases.map(\.rawValue) + [Self.allCodes, TimelineExplanation.name]
    if let near = NearestName.of(name, among: names) { return near }
    do {
      _ = try catalogue.resolve(name)
      return nil
    } catch {
      return error.nearest
    }
  }

  private func codes(_ codes: [ExitCode]) -> String {
    HelpText.table(codes.map { ("\($0.rawValue)", $0.about) }).joined(separator: "\n") + "\n"
  }

  private func verdict(_ name: String) -> String? {
    guard let verdict = Verdict(rawValue: name) else { return nil }
    return entry(name, "verdict", verdict.about, [("exit code", "\(verdict.exitCode.rawValue)")])
  }

  private func finding(_ name: String) -> String? {
    guard let finding = findings.first(where: { $0.name == name }) else { return nil }
    let kind = finding.isAdvisory ? "finding, advice: fails no scenario unless expected" : "finding"
    return entry(name, kind, finding.about, [("advice", finding.advice)])
  }

  private func flaw(_ name: String) -> String? {
    for declaration in declarations {
      guard let flaw = declaration.flaws.first(where: { $0.name == name }) else { continue }
      return entry(
        name, "flaw of \(declaration.name)", flaw.about,
        [("caught as", flaw.finding), ("clocks", words(flaw.clocks))]
          + (flaw.report.map { [("a report", $0)] } ?? []))
    }
    return nil
  }

  private func pipeline(_ name: String) -> String? {
    guard let declaration = declarations.first(where: { $0.name == name }) else { return nil }
    let facts = [
      ("strategies", declaration.strategies.map(\.name).joined(separator: ", ")),
      ("providers", declaration.providers.map(\.name).joined(separator: ", ")),
      ("flaws", declaration.flaws.map(\.name).joined(separator: ", ")),
    ]
    return entry(name, "pipeline", declaration.about, facts.filter { !$0.1.isEmpty })
  }

  /// The strategies of that name, or of the name that `batched-5-50ms` was made of; one for each pipeline.
  private func strategies(_ name: String) -> [String] {
    declarations.flatMap { declaration in
      let exact = declaration.strategies.filter { $0.name == name }
      let made = declaration.strategies.filter { !$0.parameters.isEmpty && name.hasPrefix($0.name + "-") }
      let longest = made.max { $0.name.count < $1.name.count }
      return (exact.isEmpty ? [longest].compactMap { $0 } : exact).map { strategy in
        entry(
          name, "strategy of \(declaration.name)", strategy.about,
          strategy.parameters.map { ($0.name, $0.about) })
      }
    }
  }

  private func word(_ name: String) -> String? {
    ReportWords.about(name).map { entry($0.name, "word of summaries and reports", $0.about, []) }
  }

  private func percentile(_ name: String) -> String? {
    guard name.first == "p", let percentile = Percentile(name) else { return nil }
    let about = "So many per cent of the values are no larger than this one (nearest rank)."
    return entry(
      name, "percentile", about, [("needs", "\(percentile.samplesNeeded) samples, or it is marked with *")])
  }

  private func metric(_ name: String) -> String? {
    let definition = catalogue.definitions[name] ?? (try? catalogue.resolve(name))?.definition
    guard let definition else { return nil }
    var facts = [
      ("unit", Self.unit(definition.unit)), ("kind", definition.kind.rawValue),
      ("better", Self.better(definition.polarity)), ("measured on", words(definition.measuredOn)),
      ("exact on", definition.exactOn.isEmpty ? "neither clock" : words(definition.exactOn)),
      ("covers", definition.window == .cell ? "the whole cell" : "from the end of the warm-up"),
    ]
    if !definition.labels.isEmpty { facts.append(("labels", definition.labels.joined(separator: ", "))) }
    if definition.kind == .distribution {
      facts.append(("statistics", MetricName.statistics.joined(separator: " ") + ", or pN"))
    }
    return entry(definition.name, "metric", definition.about, facts)
  }

  private func entry(_ name: String, _ kind: String, _ about: String, _ facts: [(String, String)]) -> String {
    let lines =
      ["\(name) (\(kind))"] + HelpText.wrap(about, indent: 2)
      + (facts.isEmpty ? [] : [""] + HelpText.table(facts))
    return lines.joined(separator: "\n") + "\n"
  }

  private func words(_ clocks: [ClockKind]) -> String {
    clocks.isEmpty ? "no clock" : clocks.map { "the \($0.rawValue) clock" }.joined(separator: ", ")
  }

  private static func unit(_ unit: MetricDeclaration.Unit) -> String {
    switch unit {
    case .count: "a plain number"
    case .nanoseconds: "nanoseconds, whole"
    case .bytes: "bytes, whole"
    case .perSecond: "per second"
    case .ratio: "a ratio"
    }
  }

  private static func better(_ polarity: MetricDeclaration.Polarity) -> String {
    switch polarity {
    case .lower: "less"
    case .higher: "more"
    case .neutral: "neither: it describes the load or the run"
    }
  }
}
