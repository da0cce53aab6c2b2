package import RunRecords

/// `verdict.txt`: the verdict's word and a line's end, for scripts behind tools that lose exit codes.
package enum VerdictText {
  /// Renders a run.
  package static func text(_ run: RunRecord) -> String { run.verdict.rawValue + "\n" }
}
