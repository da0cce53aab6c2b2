// A program in virtual time, for the tests to start: runs one named workload and prints what happened.
//
// virtual-time-fixture WORKLOAD SEED [production|every-hop] [COUNT]

import CDeterminism
import Glibc
import VirtualTime

@main
struct Fixture {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3, let seed = UInt64(arguments[2]) else {
      print("usage: virtual-time-fixture WORKLOAD SEED [production|every-hop] [COUNT]")
      exit(64)
    }
    let schedule = arguments.count > 3 ? Schedule(rawValue: arguments[3]) : .production
    let count = arguments.count > 4 ? Int(arguments[4]) : nil
    guard let schedule, let workload = workloads[arguments[1]] else {
      print("unknown workload or schedule")
      exit(64)
    }
    if arguments[1] == "late" { useConcurrencyEarly() }
    do throws(VirtualTimeError) {
      var process = try VirtualProcess.install(seed: seed, schedule: schedule)
      let start = cdt_raw_monotonic_ns()
      workload(&process, count)
      if getenv("FIXTURE_RATE") != nil {
        let seconds = Double(cdt_raw_monotonic_ns() - start) / 1e9
        print(
          "rate \(Int(Double(process.jobsRun) / seconds)) jobs/s over \(process.jobsRun) jobs in \(seconds) s"
        )
      }
      print("now \(process.now) jobs \(process.jobsRun) timers \(process.timersFired)")
    } catch {
      print("error \(error.code)")
      exit(3)
    }
  }

  /// Makes the runtime create its stock executors.
  private static func useConcurrencyEarly() {
    Task.detached {}
    usleep(20_000)
  }
}

/// Collects lines on whatever executor; everything in virtual time takes turns on one thread.
final class Log: @unchecked Sendable {
  // Safe: one thread.
  private var lines: [String] = []
  func add(_ line: String) { lines.append(line) }
  func flush() { print(lines.joined(separator: "\n")) }
}

/// One line for an outcome, without addresses.
func describe(_ outcome: VirtualOutcome) -> String {
  switch outcome {
  case .finished: "finished"
  case .deadlock(let deadlock): "deadlock at \(deadlock.at) last progress \(deadlock.lastProgress)"
  case .foreignEnqueue(let foreign): "foreign enqueue thread=\(foreign.threadName) caller=\(foreign.caller)"
  case .stopped: "stopped"
  }
}
