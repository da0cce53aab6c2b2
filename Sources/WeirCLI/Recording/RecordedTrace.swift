internal import Glibc
internal import RunRecords
internal import RuntimeProbe

/// The trace of a recorded program: asked for before its start, made a timeline of after its end.
struct RecordedTrace {
  private let files: TimelineFiles
  private let prefix: String

  /// Leaves the request where the probe in the program looks for it; nil where no trace is asked for.
  ///
  /// - Throws: `UsageError` for a place that cannot be written to, `WorkFailure` when the request cannot be left.
  init?(_ invocation: Invocation, prefix: String) throws {
    files = TimelineFiles(trace: invocation.value(.trace), profile: invocation.value(.pprof))
    self.prefix = prefix
    let places = [files.trace, files.profile].compactMap(\.self)
    guard !places.isEmpty else {
      if invocation.has(.traceEvents) {
        throw UsageError("`--trace-events` needs `--trace FILE` or `--pprof FILE`", command: "record")
      }
      return nil
    }
    for place in places { try TraceRequest.checkPlace(place, command: "record") }
    let events = try TraceRequest.events(invocation, command: "record")
    try FileSystem.write("\(events)\n", to: "\(prefix).\(Recording.traceRequest)")
  }

  /// Writes the timeline of the last program that left a trace.
  ///
  /// - Parameter maps: The images of each program that the process has been, by number.
  func write(maps: [Int: String], title: String) throws(WorkFailure) -> TraceRecord {
    var number = 1
    while FileSystem.kind("\(prefix).\(number + 1).trace") == .file { number += 1 }
    let recorded = Recording.Files(prefix: prefix, number: number)
    let images = maps[number] ?? (try? FileSystem.read(recorded.maps)) ?? ""
    let record = try files.write(
      .init(trace: recorded.trace, probe: recorded.counters, maps: images), title: title, roles: [:], log: "")
    StandardStreams.error("weir: \(files.words(record, of: title))\n")
    return record
  }
}
