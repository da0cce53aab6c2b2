internal import RunRecords

/// One line on a gate: a gate that held in all its cells takes one, the others one for each cell. Those that did
/// not hold come first.
struct GateLine {
  var verdict: Verdict
  var gate: String
  var actual: String
  var margin: String
  var place: String
  var reason: String?

  static func lines(_ outline: RunOutline) -> [GateLine] {
    let gates = outline.run.gates
    let lines = outline.distinct(gates.map(\.gate)).flatMap { text in
      let mine = gates.filter { $0.gate == text }
      let passed = mine.filter { $0.verdict == .passed }
      let held = passed.isEmpty ? [] : [summed(passed, of: mine, outline)]
      return held + mine.filter { $0.verdict != .passed }.map { single($0, outline) }
    }
    return lines.filter { $0.verdict != .passed } + lines.filter { $0.verdict == .passed }
  }

  private static func single(_ gate: GateRecord, _ outline: RunOutline) -> GateLine {
    GateLine(
      verdict: gate.verdict, gate: gate.gate, actual: outline.actual(gate),
      margin: MetricFormat.margin(gate.margin),
      place: outline.title(gate), reason: gate.reason)
  }

  private static func summed(_ passed: [GateRecord], of all: [GateRecord], _ outline: RunOutline) -> GateLine
  {
    guard passed.count > 1 else { return single(passed[0], outline) }
    let ranked = passed.sorted { ($0.actual?.double ?? 0) < ($1.actual?.double ?? 0) }
    let (least, most) = (outline.actual(ranked[0]), outline.actual(ranked[ranked.count - 1]))
    let margin = MetricFormat.margin(passed.compactMap(\.margin).min())
    return GateLine(
      verdict: .passed, gate: passed[0].gate, actual: least == most ? least : "\(least) to \(most)",
      margin: margin.isEmpty || least == most ? margin : "at least \(margin)",
      place: passed.count == all.count ? "all \(all.count) cells" : "\(passed.count) of \(all.count) cells",
      reason: nil)
  }
}
