internal import RunRecords
internal import WorkloadInterface

/// What to do after a run that did not pass: a few sentences, the most telling first, in which commands stand between
/// backticks. A run that passed, was interrupted or only recorded needs none.
enum NextSteps {
  /// What stands above them.
  static let title = "What to do next"

  /// - Parameter advice: Whether to say what findings advise, where that stands far from here.
  static func of(_ outline: RunOutline, advice: Bool = false) -> [String] {
    switch outline.word {
    case Verdict.failed.rawValue: (advice ? Self.advice(outline) : []) + failed(outline)
    case Verdict.crashed.rawValue:
      ["Run the cell alone with its seed, \(again(outline)): what it measured until its end was kept."]
    case Verdict.hung.rawValue:
      [
        "Look under Findings for what each task waited for; without any, run it again with a longer `watchdog`."
      ]
    case Verdict.invalid.rawValue:
      [
        "Mend what the reason names and run it again: no figure of this run can be relied on, whatever its gates say."
      ]
    case Verdict.inconclusive.rawValue:
      ["Give it more samples: a longer load, or more `repetitions`. `--allow inconclusive` lets a job go on."]
    case Verdict.regressed.rawValue:
      [
        "Look at what the table of the baseline has first; if the change is meant, `--save-baseline` keeps the new figures."
      ]
    case Verdict.noBaseline.rawValue:
      ["Keep a run that passes as the baseline: the same command with `--save-baseline DIR`."]
    default: []
    }
  }

  private static func advice(_ outline: RunOutline) -> [String] {
    outline.distinct(outline.surprises.map(\.finding.name)).prefix(2).compactMap { name in
      outline.glossary.advice(for: name).map { "\(name): \($0)" }
    }
  }

  private static func failed(_ outline: RunOutline) -> [String] {
    var steps: [String] = []
    let missed = outline.distinct(outline.run.gates.filter { $0.verdict == .failed }.map(\.gate))
    steps += missed.compactMap { held($0, outline) }.prefix(2)
    if let slow = outline.run.gates.first(where: { $0.verdict == .failed && isOfTime($0, outline) }) {
      steps.append("See where the time goes: \(traced(slow, outline)).")
    }
    let metrics = outline.distinct(missed.map { String($0.prefix { $0 != " " && $0 != "{" }) })
    if let first = metrics.first {
      steps.append("`weir explain \(first)` says what was counted, and how.")
    }
    if outline.run.expectations.contains(where: { $0.verdict == .failed && $0.seen == 0 }) {
      steps.append(
        "A finding that was expected was not seen: is the fault mended, or did the load not reach it?")
    }
    return steps
  }

  /// Where a gate that failed somewhere holds; nil where that is nowhere.
  private static func held(_ gate: String, _ outline: RunOutline) -> String? {
    let places = outline.run.gates.filter { $0.gate == gate && $0.verdict == .passed }.map(outline.title)
    guard !places.isEmpty else { return nil }
    let more = places.count > 3 ? " and \(places.count - 3) more" : ""
    return "Compare with where `\(gate)` holds: " + places.prefix(3).joined(separator: ", ") + more + "."
  }

  private static func isOfTime(_ gate: GateRecord, _ outline: RunOutline) -> Bool {
    let isRatio = gate.gate.contains(" / ")
    return !isRatio && outline.glossary.unit(of: String(gate.gate.prefix { $0 != " " })) == .nanoseconds
  }

  private static func traced(_ gate: GateRecord, _ outline: RunOutline) -> String {
    let file = outline.run.environment.scenarioFile
    return "`weir run \(file) --trace run.perfetto-trace --trace-cell \(gate.strategy),\(gate.clock)`"
  }

  private static func again(_ outline: RunOutline) -> String {
    let strategy = outline.run.cells.first { $0.verdict == .crashed }?.strategy ?? ""
    return "`weir run \(outline.run.environment.scenarioFile) --strategy \(strategy)`"
  }
}

extension TerminalPage {
  /// What to do next, before the last line.
  mutating func next(_ steps: [String]) {
    guard !steps.isEmpty else { return }
    heading(NextSteps.title)
    for step in steps { item(step) }
  }
}
