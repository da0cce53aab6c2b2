internal import Glibc
internal import RuntimeProbe
internal import Scenarios
internal import WorkloadInterface

/// What a command line asks of traces: which cell, how much room, and where the timeline goes.
struct TraceRequest {
  /// Perfetto's trace; nil where none is asked for.
  let trace: String?
  /// The profile; nil where none is asked for.
  let profile: String?
  /// Room for so many events.
  let events: Int
  /// The number of the cell that is traced.
  let cell: Int

  /// A million events: a timeline of some thirty megabytes, of two hundred thousand hops or so.
  static let standardEvents = 1 << 20

  /// Reads the options; nil where no trace is asked for.
  ///
  /// - Throws: `UsageError` for options that do not go together, a cell that there is not, a place that cannot be
  ///   written to.
  init?(_ invocation: Invocation, scenarios: [Scenario]) throws(UsageError) {
    trace = invocation.value(.trace)
    profile = invocation.value(.pprof)
    guard trace != nil || profile != nil else {
      for option in [OptionDeclaration.traceCell, .traceEvents] where invocation.has(option) {
        throw UsageError("`--\(option.name)` needs `--trace FILE` or `--pprof FILE`", command: "run")
      }
      return nil
    }
    guard scenarios.count == 1 else {
      throw UsageError("a trace is of one cell: name one scenario, not \(scenarios.count)", command: "run")
    }
    if trace != nil, trace == profile {
      throw UsageError("`--trace` and `--pprof` name the same file", command: "run")
    }
    for path in [trace, profile].compactMap(\.self) { try Self.checkPlace(path, command: "run") }
    events = try Self.events(invocation, command: "run")
    cell = try Self.cell(invocation.value(.traceCell), among: scenarios[0].cells()).number
  }

  static func events(_ invocation: Invocation, command: String) throws(UsageError) -> Int {
    guard let text = invocation.value(.traceEvents) else { return standardEvents }
    let limit = Probe.traceEventsLimit
    guard let events = Int(text), 1...limit ~= events else {
      throw UsageError(
        "`--trace-events` takes a number from 1 to \(limit), not `\(text)`", command: command)
    }
    return events
  }

  /// The cell of this name, or without one the first on the real clock, and if there is none the first.
  static func cell(_ name: String?, among cells: [CellPlan]) throws(UsageError) -> CellPlan {
    guard let name else { return cells.first { $0.clock == .real } ?? cells[0] }
    let words = name.split(separator: ",").map { $0.trimmed }
    let found = cells.first { cell in
      !words.isEmpty && words.allSatisfy { cell.words.contains($0) }
    }
    guard let found else {
      throw UsageError(
        "there is no cell `\(name)`; there are \(cells.map(\.traceName).joined(separator: "; "))",
        command: "run")
    }
    return found
  }

  static func checkPlace(_ path: String, command: String) throws(UsageError) {
    if FileSystem.kind(path) == .directory {
      throw UsageError("\(path) is a directory: a file is needed", command: command)
    }
    let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard FileSystem.kind(directory) == .directory else {
      throw UsageError("\(directory) is no directory: \(path) cannot be written", command: command)
    }
    guard access(directory, W_OK) == 0 else {
      throw UsageError("cannot write \(path): \(SystemError.text(errno))", command: command)
    }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension CellPlan {
  /// What tells it from others on the command line.
  var words: [String] { [strategy.name, variant, clock.rawValue, "#\(repetition)"] }

  /// As people name it: `batched-5,real`, with variant and repetition where there are several.
  var traceName: String {
    var parts = [strategy.name, clock.rawValue]
    if scenario.variants.count > 1 { parts.append(variant) }
    if scenario.repetitions > 1 { parts.append("#\(repetition)") }
    return parts.joined(separator: ",")
  }
}

extension OptionDeclaration {
  static let trace = Self(
    name: "trace", value: "FILE",
    about:
      "Write the timeline of one cell as a Perfetto trace: actors, threads, tasks, hops. Disturbs its timing."
  )
  static let pprof = Self(
    name: "pprof", value: "FILE",
    about: "Write hops, holds and their time in that cell as a profile for pprof, speedscope, Perfetto.")
  static let traceCell = Self(
    name: "trace-cell", value: "CELL",
    about:
      "The cell to trace: STRATEGY, or with CLOCK, VARIANT or #REPETITION behind commas. By default the first on "
      + "the real clock, or the first.")
  static let traceEvents = Self(
    name: "trace-events", value: "N",
    about: "Room for N events, 32 bytes each, 1048576 by default. What comes later is lost and counted.")
}
