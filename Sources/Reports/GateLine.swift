internal import RunRecords

/// One line on a gate: a gate that held in all its cells takes one, and so do the cells in which it was not judged;
/// each cell in which it did not hold has its own, unless it came to the same in all of them. Those that did not hold
/// come first.
struct GateLine {
  var verdict: Verdict
  /// False where no figure was held against the limit.
  var isJudged: Bool
  var gate: String
  var actual: String
  var margin: String
  var place: String
  var reason: String?

  /// What is said of a gate that was not judged.
  static let notJudged = "not judged"

  /// `passed`, `failed`, `inconclusive`, or that it was not judged.
  var word: String { isJudged ? verdict.rawValue : Self.notJudged }

  /// Whether it held wherever it was judged, and was judged everywhere.
  var holds: Bool { isJudged && verdict == .passed }

  static func lines(_ outline: RunOutline) -> [GateLine] {
    let gates = outline.run.gates
    let lines = outline.distinct(gates.map(\.gate)).flatMap { text in
      let mine = gates.filter { $0.gate == text }
      let passed = mine.filter { $0.verdict == .passed }
      let held = passed.isEmpty ? [] : [summed(passed, of: mine, outline)]
      let open = mine.filter { $0.isJudged && $0.verdict != .passed }
      return held + missed(open, of: mine, outline) + unjudged(mine, outline)
    }
    return lines.filter { $0.isJudged && !$0.holds } + lines.filter { !$0.isJudged } + leftOut(outline)
      + lines.filter(\.holds)
  }

  /// The cells in which a gate did not hold; one line where it came to the same in every cell.
  private static func missed(_ open: [GateRecord], of all: [GateRecord], _ outline: RunOutline) -> [GateLine]
  {
    let lines = open.map { single($0, outline) }
    let outcomes = Set(lines.map { [$0.word, $0.actual, $0.margin, $0.reason ?? ""] })
    guard lines.count > 1, lines.count == all.count, outcomes.count == 1 else { return lines }
    var line = lines[0]
    line.place = "all \(all.count) cells"
    return [line]
  }

  private static func single(_ gate: GateRecord, _ outline: RunOutline) -> GateLine {
    GateLine(
      verdict: gate.verdict, isJudged: true, gate: gate.gate, actual: outline.actual(gate),
      margin: MetricFormat.margin(gate.margin), place: outline.title(gate), reason: gate.reason)
  }

  private static func summed(_ passed: [GateRecord], of all: [GateRecord], _ outline: RunOutline) -> GateLine
  {
    guard passed.count > 1 else { return single(passed[0], outline) }
    let ranked = passed.sorted { ($0.actual?.double ?? 0) < ($1.actual?.double ?? 0) }
    let (least, most) = (outline.actual(ranked[0]), outline.actual(ranked[ranked.count - 1]))
    let margin = MetricFormat.margin(passed.compactMap(\.margin).min())
    return GateLine(
      verdict: .passed, isJudged: true, gate: passed[0].gate,
      actual: least == most ? least : "\(least) to \(most)",
      margin: margin.isEmpty || least == most ? margin : "at least \(margin)",
      place: passed.count == all.count ? "all \(all.count) cells" : "\(passed.count) of \(all.count) cells",
      reason: nil)
  }

  /// The cells of one gate in which it was not judged, in one line for each reason.
  private static func unjudged(_ gates: [GateRecord], _ outline: RunOutline) -> [GateLine] {
    let mine = gates.filter { !$0.isJudged }
    return outline.distinct(mine.map { $0.reason ?? "" }).map { reason in
      let same = mine.filter { ($0.reason ?? "") == reason }
      let place =
        same.count == 1
        ? outline.title(same[0])
        : same.count == gates.count
          ? "all \(gates.count) cells" : "\(same.count) of \(gates.count) cells"
      return GateLine(
        verdict: same[0].verdict, isJudged: false, gate: same[0].gate, actual: "", margin: "", place: place,
        reason: reason)
    }
  }

  /// Gates for what was not run.
  private static func leftOut(_ outline: RunOutline) -> [GateLine] {
    (outline.run.scenario.gatesLeftOut ?? []).map { gate in
      GateLine(
        verdict: .inconclusive, isJudged: false, gate: gate, actual: "", margin: "", place: "",
        reason: Self.whyLeftOut(gate))
    }
  }

  /// Why a gate was left out.
  static func whyLeftOut(_ gate: String) -> String {
    GateExpression.isOfSteps(gate) ? "one step alone" : "strategy not run"
  }
}
