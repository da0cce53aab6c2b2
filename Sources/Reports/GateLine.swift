internal import RunRecords

/// One line on a gate: a gate that held in all its cells takes one, and so do the cells in which it was not judged;
/// each cell in which it did not hold has its own, unless it came to the same in all of them, or there are many: these
/// take one line with the worst. Those that did not hold come first.
struct GateLine {
  var verdict: Verdict
  /// False where no figure was held against the limit.
  var isJudged: Bool
  var gate: String
  var actual: String
  var margin: String
  var place: String
  var reason: String?
  /// The cells besides the one whose figure is shown, with their figures; empty where the line is of one cell, or of
  /// cells in which the gate held.
  var others: [(place: String, actual: String, margin: String)] = []

  /// Up to so many cells in which a gate did not hold have a line each.
  private static let linesKept = 3
  /// So many of the other cells are named.
  private static let othersNamed = 3

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
      return held + unmet(open, of: mine, outline) + unjudged(mine, outline)
    }
    return lines.filter { $0.isJudged && !$0.holds } + lines.filter { !$0.isJudged } + leftOut(outline)
      + lines.filter(\.holds)
  }

  private static func single(_ gate: GateRecord, _ outline: RunOutline) -> GateLine {
    GateLine(
      verdict: gate.verdict, isJudged: true, gate: gate.gate, actual: outline.actual(gate),
      margin: MetricFormat.margin(gate.margin), place: outline.title(gate), reason: gate.reason)
  }

  /// The cells in which a gate did not hold: those that failed and those that cannot be told, each kind apart.
  private static func unmet(_ open: [GateRecord], of all: [GateRecord], _ outline: RunOutline) -> [GateLine] {
    let lines = open.map { single($0, outline) }
    let outcomes = Set(lines.map { [$0.word, $0.actual, $0.margin, $0.reason ?? ""] })
    if lines.count > 1, lines.count == all.count, outcomes.count == 1 {
      var line = lines[0]
      line.place = "all \(all.count) cells"
      return [line]
    }
    guard open.count > linesKept else { return lines }
    return outline.distinct(open.map(kind)).flatMap { kind in
      let mine = open.filter { Self.kind($0) == kind }
      return mine.count > linesKept
        ? [grouped(mine, of: all, outline)] : mine.map { single($0, outline) }
    }
  }

  /// Lines of one kind differ in figures alone.
  private static func kind(_ gate: GateRecord) -> String {
    gate.verdict.rawValue + "\n" + (gate.reason ?? "").filter { !$0.isNumber }
  }

  private static func grouped(_ open: [GateRecord], of all: [GateRecord], _ outline: RunOutline) -> GateLine {
    let ranked = open.enumerated().sorted {
      (distance($0.element), -$0.offset) > (distance($1.element), -$1.offset)
    }
    .map(\.element)
    let rest = ranked.dropFirst().map {
      (place: outline.title($0), actual: outline.actual($0), margin: MetricFormat.margin($0.margin))
    }
    let more = rest.count > othersNamed ? " and \(rest.count - othersNamed) more" : ""
    let also =
      "also in " + rest.prefix(othersNamed).map { "\($0.place) (\($0.actual))" }.joined(separator: ", ")
      + more
    let worst = ranked[0]
    var line = single(worst, outline)
    line.reason = [worst.reason, "worst in \(line.place)", also].compactMap { $0 }.joined(separator: "; ")
    line.place = open.count == all.count ? "all \(all.count) cells" : "\(open.count) of \(all.count) cells"
    line.others = rest
    return line
  }

  /// How far outside its limit a figure lies; one that is not there lies farthest.
  private static func distance(_ gate: GateRecord) -> Double {
    if let margin = gate.margin { return -margin }
    return gate.actual.map { abs($0.double - gate.limit.double) } ?? .infinity
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
