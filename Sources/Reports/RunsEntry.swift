package import RunRecords

/// What is kept of one of several scenarios that are run together, for the tables of the whole.
package struct RunsEntry: Sendable {
  /// The scenario's name, which is also that of its run directory.
  package let name: String
  /// What it came to; `interrupted` for one that was not run.
  package let verdict: Verdict
  /// What held, or the first thing that was wrong.
  let what: String
  /// Its sentence.
  package let about: String
  /// Wall time of its cells in ns.
  let wall: Int64
  /// Whether it has a run directory.
  package let wasStarted: Bool
  /// Its part of `junit.xml`.
  let suite: JUnit.Suite

  /// Takes it from the record.
  package init(_ run: RunRecord, glossary: Glossary = Glossary()) {
    name = run.scenario.name
    verdict = run.verdict
    what = run.verdict == .passed ? Self.held(run) : Self.wrong(run)
    about = run.scenario.about
    wall = run.environment.wall
    wasStarted = true
    suite = JUnit.suite(RunOutline(run: run, glossary: glossary))
  }

  /// A scenario that has not ended, or was never begun.
  package init(unfinished name: String, about: String, wasStarted: Bool) {
    self.name = name
    verdict = .interrupted
    what =
      wasStarted
      ? "had not ended when this was written; `weir report` completes its directory" : "not run"
    self.about = about
    wall = 0
    self.wasStarted = wasStarted
    suite = JUnit.unfinished(name, message: what)
  }

  private static func held(_ run: RunRecord) -> String {
    let gates = Set(run.gates.map(\.gate)).count
    let findings = run.expectations.count
    let leftOut = run.scenario.gatesLeftOut?.count ?? 0
    return [
      counted(run.cells.count, "cell", "cells"),
      gates > 0 ? counted(gates, "gate holds", "gates hold") : "",
      leftOut > 0 ? "\(leftOut) not judged" : "",
      findings > 0 ? counted(findings, "expected finding seen", "expected findings seen") : "",
    ].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private static func wrong(_ run: RunRecord) -> String {
    let more = run.reasons.count > 1 ? " (and \(run.reasons.count - 1) more)" : ""
    return (run.reasons.first ?? run.verdict.about) + more
  }

  static func counted(_ count: Int, _ one: String, _ many: String) -> String {
    "\(MetricFormat.grouped(Int64(count))) \(count == 1 ? one : many)"
  }
}
