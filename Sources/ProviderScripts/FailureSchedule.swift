import SeededDraws
import WorkloadInterface

/// Which calls fail, decided by address alone.
///
/// A call's number within the iteration is its slot + 1, so that it does not depend on the order in which
/// tasks ask. `calls` names first attempts; `every` counts an attempt as one call further.
struct FailureSchedule: Sendable {
  private let scripts: [FailureScript]
  private let stream: DrawStream

  init(_ scripts: [FailureScript], stream: DrawStream) {
    self.scripts = scripts
    self.stream = stream
  }

  /// The first script that applies to a call asked at `time` (ns from the start of the cell).
  func failure(iteration: Int, slot: Int, attempt: Int, at time: Int64) -> FailureScript? {
    for (index, script) in scripts.enumerated() {
      let applies =
        switch script.selector {
        case .share(let share):
          share > 0
            && stream.uniform(iteration: iteration, slot: slot, attempt: attempt, index: index) < share
        case .calls(let numbers): attempt == 0 && numbers.contains(slot + 1)
        case .every(let count): count > 0 && (slot + 1 + attempt).isMultiple(of: count)
        case .window(let from, let to): from <= time && time < to
        }
      if applies { return script }
    }
    return nil
  }
}
