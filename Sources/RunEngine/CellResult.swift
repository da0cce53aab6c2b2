package import RunRecords

/// What the process of one cell leaves for the driver, as JSON.
package struct CellResult: Sendable, Codable {
  /// What was measured.
  package var record: CellRecord
  /// What it cost on this machine.
  package var cost: CellCost

  /// Makes a result.
  package init(record: CellRecord, cost: CellCost) {
    self.record = record
    self.cost = cost
  }
}

/// The files through which the driver and the process of one cell speak. All lie in the run's `cells` directory
/// and are named by the cell's number.
package struct CellFiles: Sendable {
  /// The plan that the driver writes (`CellPlan` as JSON).
  package let plan: String
  /// The mapped file of the probe: counters and progress, readable from outside while the cell runs.
  package let probe: String
  /// The result that the cell writes at its end (`CellResult` as JSON).
  package let result: String
  /// Times of each iteration, if the scenario keeps them.
  package let iterations: String
  /// What the runs of a sweep over scheduling steps found, one line of JSON each (`StepResult`).
  package let steps: String
  /// The raw events of a trace, if one was asked for, readable from outside while the cell runs.
  package let trace: String
  /// The process's images as it began to trace: `/proc/PID/maps`.
  package let maps: String
  /// What the cell wrote to its standard error.
  package let log: String

  /// Names the files of cell `number` in `directory`.
  package init(directory: String, number: Int) {
    let stem = "\(directory)/\(String(repeating: "0", count: max(0, 3 - String(number).count)))\(number)"
    plan = stem + ".plan.json"
    probe = stem + ".probe"
    result = stem + ".result.json"
    iterations = stem + ".iterations.csv"
    steps = stem + ".steps.jsonl"
    trace = stem + ".trace"
    maps = stem + ".maps"
    log = stem + ".log"
  }

  /// What stands behind the number in the names of these files: by them a later run knows what it may remove.
  package static let endings: Set<String> = [
    "plan.json", "probe", "result.json", "iterations.csv", "steps.jsonl", "trace", "maps", "log",
  ]
}
