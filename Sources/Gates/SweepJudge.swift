package import RunRecords

/// Judges what shows only over several cells: those of a sweep, which differ in load alone.
package enum SweepJudge {
  /// The cells of each sweep; `[]` of a run without one.
  package static func sweeps(of cells: [CellRecord]) -> [[CellRecord]] { LoadSweep.groups(of: cells) }

  /// Adds what was found over each sweep to its last cell under the most users.
  package static func judge(_ cells: inout [CellRecord]) {
    for sweep in LoadSweep.all(of: cells) {
      guard let finding = ContentionCollapse.finding(in: sweep) else { continue }
      let most = sweep.points.last { $0.rate != nil }?.users
      let index = cells.lastIndex {
        $0.strategy == sweep.strategy && $0.variant == sweep.variant && $0.clock == sweep.clock
          && $0.users == most
      }
      if let index { cells[index].findings.append(finding) }
    }
  }
}
