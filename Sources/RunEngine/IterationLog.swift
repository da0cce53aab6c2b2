internal import Synchronization
internal import WorkloadInterface

/// The times of each iteration, kept when the scenario asks for it and written as CSV at the end.
final class IterationLog: Sendable {
  private struct Row: Sendable {
    var index: Int
    var intended: Int64
    var start: Int64
    var end: Int64
    var outcome: IterationOutcome
  }
  private let rows = Mutex<[Row]>([])

  func append(_ iteration: Iteration, _ outcome: IterationOutcome, end: Int64) {
    rows.withLock {
      $0.append(
        Row(
          index: iteration.index, intended: iteration.intendedStart, start: iteration.actualStart, end: end,
          outcome: outcome))
    }
  }

  /// Columns: index, intended-start, start, end (ns from the start of the cell), outcome, reason.
  func write(to path: String) throws(UnwrittenFile) {
    var text = "index,intended-start,start,end,outcome,reason\n"
    for row in rows.withLock({ $0 }).sorted(by: { $0.index < $1.index }) {
      let outcome =
        switch row.outcome {
        case .completed: "completed,"
        case .failed(let reason): "failed,\(reason)"
        case .cancelled: "cancelled,"
        }
      text += "\(row.index),\(row.intended),\(row.start),\(row.end),\(outcome)\n"
    }
    try CellOutput.write(text.utf8, to: path)
  }
}
