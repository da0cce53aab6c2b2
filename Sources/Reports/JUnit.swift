package import RunRecords

/// A run as JUnit XML, the form that CI servers read: one suite, a test case for each cell's own verdict, each
/// gate in each cell, and each expected finding.
///
/// `failed` and `regressed` are failures; `invalid`, `hung`, `crashed` and `interrupted` are errors; what could
/// not be judged (`inconclusive`, `no-baseline`) is skipped, with its reason.
package enum JUnit {
  /// Renders a run.
  package static func text(_ run: RunRecord, glossary: Glossary = Glossary()) -> String {
    document(name: run.scenario.name, [suite(RunOutline(run: run, glossary: glossary))])
  }

  /// A suite, and the figures that the whole adds up.
  struct Suite: Sendable {
    var text: String
    var tests: Int
    var failures: Int
    var errors: Int
    var skipped: Int
    var time: Int64
  }

  /// The suite of one run.
  static func suite(_ outline: RunOutline) -> Suite {
    let run = outline.run
    return suite(
      run.scenario.name,
      cells(outline) + gates(outline) + baseline(outline) + expectations(outline) + whole(outline),
      time: run.environment.wall, started: run.environment.started)
  }

  /// The suite of a scenario that has no record yet.
  static func unfinished(_ name: String, message: String) -> Suite {
    suite(
      name, [Case(kind: "run", name: name, verdict: .interrupted, message: message)], time: 0, started: "")
  }

  private static func suite(_ name: String, _ cases: [Case], time: Int64, started: String) -> Suite {
    let kinds = cases.map { Outcome($0.verdict) }
    var suite = Suite(
      text: "", tests: cases.count, failures: kinds.count { $0 == .failure },
      errors: kinds.count { $0 == .error }, skipped: kinds.count { $0 == .skipped }, time: time)
    let stamp = started.isEmpty ? "" : attribute(("timestamp", started))
    suite.text =
      "  <testsuite\(head(name, suite))\(stamp)>\n" + cases.map { $0.text(suite: name) }.joined()
      + "  </testsuite>\n"
    return suite
  }

  /// Suites as one file.
  static func document(name: String, _ suites: [Suite]) -> String {
    let whole = Suite(
      text: "", tests: suites.reduce(0) { $0 + $1.tests }, failures: suites.reduce(0) { $0 + $1.failures },
      errors: suites.reduce(0) { $0 + $1.errors }, skipped: suites.reduce(0) { $0 + $1.skipped },
      time: suites.reduce(0) { $0 + $1.time })
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites\(head(name, whole))>\n"
      + suites.map(\.text).joined() + "</testsuites>\n"
  }

  private static func head(_ name: String, _ suite: Suite) -> String {
    [
      ("name", name), ("tests", "\(suite.tests)"), ("failures", "\(suite.failures)"),
      ("errors", "\(suite.errors)"), ("skipped", "\(suite.skipped)"), ("time", seconds(suite.time)),
    ].map(attribute).joined()
  }

  private enum Outcome: String {
    case passed, failure, error, skipped

    init(_ verdict: Verdict) {
      self =
        switch verdict {
        case .passed: .passed
        case .failed, .regressed: .failure
        case .inconclusive, .noBaseline: .skipped
        case .invalid, .hung, .crashed, .interrupted: .error
        }
    }
  }

  private struct Case {
    var kind: String
    var name: String
    var verdict: Verdict
    var message: String
    var time: Int64 = 0

    func text(suite: String) -> String {
      let attributes = [("classname", "\(suite).\(kind)"), ("name", name), ("time", JUnit.seconds(time))]
      let head = "    <testcase" + attributes.map(JUnit.attribute).joined()
      let outcome = Outcome(verdict)
      guard outcome != .passed else { return head + "/>\n" }
      let type = outcome == .skipped ? "" : JUnit.attribute(("type", verdict.rawValue))
      let body = JUnit.attribute(("message", message))
      return head + ">\n      <\(outcome.rawValue)\(body)\(type)/>\n    </testcase>\n"
    }
  }

  private static func cells(_ outline: RunOutline) -> [Case] {
    outline.run.cells.enumerated().map { index, cell in
      let cost = outline.run.environment.cost
      return Case(
        kind: "cells", name: outline.title(cell), verdict: cell.verdict,
        message: cell.reasons.isEmpty ? cell.verdict.about : cell.reasons.joined(separator: "; "),
        time: index < cost.count ? cost[index].wall : 0)
    }
  }

  private static func gates(_ outline: RunOutline) -> [Case] {
    let leftOut = (outline.run.scenario.gatesLeftOut ?? []).map { gate in
      Case(
        kind: "gates", name: gate, verdict: .inconclusive,
        message: "\(GateLine.notJudged): \(GateLine.whyLeftOut(gate))")
    }
    return outline.run.gates.map { gate in
      guard gate.isJudged else {
        return Case(
          kind: "gates", name: "\(gate.gate) [\(outline.title(gate))]", verdict: gate.verdict,
          message: "\(GateLine.notJudged): \(gate.reason ?? gate.verdict.about)")
      }
      let parts = [outline.actual(gate), MetricFormat.margin(gate.margin), gate.reason ?? ""].filter {
        !$0.isEmpty
      }
      return Case(
        kind: "gates", name: "\(gate.gate) [\(outline.title(gate))]", verdict: gate.verdict,
        message: parts.joined(separator: ", "))
    } + leftOut
  }

  /// One case for each figure that changed or cannot be told, or one for all.
  private static func baseline(_ outline: RunOutline) -> [Case] {
    guard let baseline = BaselineLines(outline) else { return [] }
    let cases = baseline.lines.filter { $0.mark != .improved }.map { line in
      Case(
        kind: "baseline", name: "\(line.metric) [\(line.place)]",
        verdict: line.mark == .regressed ? .regressed : .inconclusive,
        message: "\(line.before) before, \(line.now) now \(line.ratio): \(line.reason)")
    }
    let said = cases.map(\.verdict)
    guard !said.contains(baseline.verdict) else { return cases }
    return cases + [
      Case(
        kind: "baseline", name: "baseline", verdict: baseline.verdict,
        message: ([baseline.summary] + baseline.reasons).joined(separator: "; "))
    ]
  }

  private static func expectations(_ outline: RunOutline) -> [Case] {
    outline.run.expectations.map { record in
      let title = outline.title(record)
      return Case(
        kind: "expectations", name: "\(outline.wanted(record)) [\(title)]", verdict: record.verdict,
        message: "seen \(outline.times(record.seen))")
    }
  }

  /// The run itself, where none of its parts has its verdict: a run without cells must not look like a pass.
  private static func whole(_ outline: RunOutline) -> [Case] {
    let run = outline.run
    let parts =
      run.cells.map(\.verdict) + run.gates.map(\.verdict) + run.expectations.map(\.verdict)
      + [run.baseline?.verdict].compactMap { $0 }
    guard !parts.contains(run.verdict) else { return [] }
    return [Case(kind: "run", name: run.scenario.name, verdict: run.verdict, message: outline.headline)]
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    let (whole, rest) = max(0, nanoseconds / 1_000_000).quotientAndRemainder(dividingBy: 1_000)
    return "\(whole)." + String(rest + 1_000).dropFirst()
  }

  private static func attribute(_ pair: (name: String, value: String)) -> String {
    " \(pair.name)=\"\(escaped(pair.value))\""
  }

  /// XML 1.0 has no form for most control characters: they become U+FFFD. Line ends keep their own form.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n", "\r", "\t": escaped += "&#\(scalar.value);"
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
