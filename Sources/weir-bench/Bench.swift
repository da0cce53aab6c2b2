import Dispatch
import Foundation

/// Micro-benchmarks of Weir's own parts, each printed as one JSON line of raw samples; `scripts/bench` runs
/// them and prints medians with their spread. Nothing here asserts a time.
@main
struct Bench {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let name = arguments.first ?? ""
    let repeats = arguments.dropFirst().first.flatMap { Int($0) } ?? 15
    Task.detached {
      switch name {
      case "call": await CallBench.run(repeats: repeats)
      case "histogram": HistogramBench.run(repeats: repeats)
      case "known": await KnownWork.run(arguments.dropFirst().first ?? "")
      case "store": await StoreBench.run(repeats: repeats)
      case "tasks": await TaskMemoryBench.run(count: repeats)
      default:
        FileHandle.standardError.write(
          Data("usage: weir-bench call|histogram|store|tasks [REPEATS], or known KIND\n".utf8))
        exit(64)
      }
      exit(0)
    }
    dispatchMain()
  }

  /// Prints one line: a name, a unit and the samples.
  static func report(_ name: String, unit: String, _ samples: [Double]) {
    let values = samples.map { String(format: "%.3f", $0) }.joined(separator: ", ")
    print("{\"name\": \"\(name)\", \"unit\": \"\(unit)\", \"samples\": [\(values)]}")
  }
}
