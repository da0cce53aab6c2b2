package import RunRecords

/// A run as JUnit XML, the form that CI servers read: one suite, a test case for each cell's own verdict, each
/// gate in each cell, and each expected finding.
///
/// `failed` and `regressed` are failures; `invalid`, `hung`, `crashed` and `interrupted` are errors; what could
/// not be judged (`inconclusive`, `no-baseline`) is skipped, with its reason.
package enum JUnit {
  /// Renders a run.
  package static func text(_ run: RunRecord, glossary: Glossary = Glossary()) -> String {
    let outline = RunOutline(run: run, glossary: glossary)
    let cases = cells(outline) + gates(outline) + expectations(outline) + whole(outline)
    let kinds = cases.map { Outcome($0.verdict) }
    let time = run.environment.cost.reduce(0) { $0 + $1.wall }
    let counts = [
      ("tests", "\(cases.count)"), ("failures", "\(kinds.count { $0 == .failure })"),
      ("errors", "\(kinds.count { $0 == .error })"), ("skipped", "\(kinds.count { $0 == .skipped })"),
      ("time", seconds(time)),
    ]
    let head = ([("name", run.scenario.name)] + counts).map(attribute).joined()
    let stamp = attribute(("timestamp", run.environment.started))
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites\(head)>\n  <testsuite\(head)\(stamp)>\n"
      + cases.map { $0.text(suite: run.scenario.name) }.joined() + "  </testsuite>\n</testsuites>\n"
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
    outline.run.gates.map { gate in
      let parts = [outline.actual(gate), MetricFormat.margin(gate.margin), gate.reason ?? ""].filter {
        !$0.isEmpty
      }
      return Case(
        kind: "gates", name: "\(gate.gate) [\(outline.title(gate))]", verdict: gate.verdict,
        message: parts.joined(separator: ", "))
    }
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
    let parts = run.cells.map(\.verdict) + run.gates.map(\.verdict) + run.expectations.map(\.verdict)
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
