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
  /// - Throws: `UsageError` for options that do not go together, a cell that there is not. The places are looked
  ///   at by `OutputFile`.
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
    events = try Self.events(invocation, command: "run")
    cell = try Self.cell(invocation.value(.traceCell), among: scenarios[0].cells()).number
  }

  static func events(_ invocation: Invocation, command: String) throws(UsageError) -> Int {
    guard let text = invocation.value(.traceEvents) else { return standardEvents }
    let (block, limit) = (Probe.traceEventsBlock, Probe.traceEventsLimit)
    guard let events = Int(text), block...limit ~= events else {
      throw UsageError(
        "`--trace-events` takes a number from \(block) to \(limit), not `\(text)`: a block of \(block) is the least "
          + "that a thread takes", command: command)
    }
    return (events + block - 1) / block * block
  }

  /// What people are told who asked for room for a number of events that blocks do not come to; nil for all others.
  static func roundingNote(_ invocation: Invocation, _ events: Int) -> String? {
    guard let asked = invocation.value(.traceEvents).flatMap(Int.init), asked != events else { return nil }
    return "--trace-events \(asked): room for \(events) was taken, in blocks of \(Probe.traceEventsBlock)"
  }

  /// The cell of this name, or without one the first on the real clock, and if there is none the first.
  static func cell(_ name: String?, among cells: [CellPlan]) throws(UsageError) -> CellPlan {
    guard let name else { return cells.first { $0.clock == .real } ?? cells[0] }
    let words = name.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed }
    for names in cells.flatMap(\.words) {
      let said = words.filter(names.contains)
      guard said.count < 2 else {
        throw UsageError("`--trace-cell \(name)` says `\(said[1])` twice", command: "run")
      }
    }
    let found = cells.first { cell in
      words.allSatisfy { word in cell.words.contains { $0.contains(word) } }
    }
    guard let found else {
      throw UsageError(
        "there is no cell `\(name)`; there are \(cells.map(\.traceName).joined(separator: "; "))",
        command: "run")
    }
    return found
  }

  /// The files that a command line asks for.
  static func files(_ invocation: Invocation, command: String) throws(UsageError) -> [OutputFile] {
    var files: [OutputFile] = []
    for option in [OptionDeclaration.trace, .pprof] {
      guard let path = invocation.value(option) else { continue }
      files.append(try OutputFile(path, option: option.name, command: command))
    }
    return files
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
  /// What tells it from others on the command line: of each of its sides the names that it goes by.
  var words: [[String]] {
    [[strategy.name], [variant], [clock.rawValue], ["#\(repetition)"]]
      + (users.map { [["\($0)", "users=\($0)"]] } ?? [])
  }

  /// As people name it: `batched-5,real`, with users, variant and repetition where there are several.
  var traceName: String {
    var parts = [strategy.name, clock.rawValue]
    if let users { parts.append("users=\(users)") }
    if scenario.variants.count > 1 { parts.append(variant) }
    if (scenario.cancel?.orders ?? 1...scenario.repetitions).count > 1 { parts.append("#\(repetition)") }
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
      "The cell to trace: STRATEGY, or with CLOCK, USERS of a sweep, VARIANT or #REPETITION behind commas, e.g. "
      + "per-element,real,16. The first that fits; by default the first on the real clock, or the first.")
  static let traceEvents = Self(
    name: "trace-events", value: "N",
    about:
      "Room for N events, 32 bytes each, 1048576 by default, in blocks of 256. What comes later is lost and counted."
  )
}
