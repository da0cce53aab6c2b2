// A tool of one's own whose pipeline dies: for the tests that tell a crash from a process that somebody killed.

import Glibc
import WeirCLI
import WorkloadInterface

/// Three waits, one after the other. Cancelled in the second, the process dies in the way that the strategy names.
struct CrashingWorkload: Workload {
  var declaration: WorkloadDeclaration {
    WorkloadDeclaration(
      name: "crashing", about: "Dies where it is cancelled in the second of three waits.",
      strategies: [
        StrategyDeclaration(name: "trap", about: "By a failed precondition."),
        StrategyDeclaration(name: "abort", about: "By an abort of its own, cancelled or not."),
        StrategyDeclaration(name: "kill", about: "By a SIGKILL, as if from outside."),
        StrategyDeclaration(name: "whole", about: "Not at all."),
      ],
      providers: [])
  }

  func makeSession(_ cell: CellContext) throws -> any WorkloadSession {
    CrashingSession(way: cell.strategy.name, clock: cell.recorder.clock)
  }
}

struct CrashingSession: WorkloadSession {
  let way: String
  let clock: CellClock

  func run(_ iteration: Iteration) async -> IterationOutcome {
    if way == "abort" { abort() }
    for wait in 1...3 {
      do {
        try await clock.sleep(until: iteration.actualStart + Int64(wait) * 5_000_000)
      } catch {
        if wait == 2 { die() }
        return .cancelled
      }
    }
    return .completed
  }

  private func die() {
    switch way {
    case "trap": fatalError("the second wait cannot be cancelled")
    case "kill": kill(getpid(), SIGKILL)
    default: break
    }
  }
}

@main struct Tool {
  static func main() { Weir.main(workloads: [CrashingWorkload()]) }
}
