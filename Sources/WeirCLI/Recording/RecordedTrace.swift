internal import Glibc
internal import RunRecords
internal import RuntimeProbe

/// The trace of a recorded program: asked for before its start, made a timeline of after its end.
struct RecordedTrace {
  private let files: TimelineFiles
  private let events: Int

  /// Reads what is asked for; nil where no trace is. Leaves nothing anywhere.
  ///
  /// - Parameter inputs: The files of the program and the probe.
  /// - Throws: `UsageError` for a place that cannot be written to.
  init?(_ invocation: Invocation, inputs: [String], directory: RunDirectory) throws(UsageError) {
    files = TimelineFiles(trace: invocation.value(.trace), profile: invocation.value(.pprof))
    let places = try TraceRequest.files(invocation, command: "record")
    guard !places.isEmpty else {
      if invocation.has(.traceEvents) {
        throw UsageError("`--trace-events` needs `--trace FILE` or `--pprof FILE`", command: "record")
      }
      return nil
    }
    try OutputFile.check(places, inputs: inputs, directories: [directory], command: "record")
    events = try TraceRequest.events(invocation, command: "record")
    if let note = TraceRequest.roundingNote(invocation, events), !invocation.has(.quiet) {
      StandardStreams.error("weir: \(note)\n")
    }
  }

  /// Leaves the request where the probe in the program looks for it.
  func request(prefix: String) throws(WorkFailure) {
    try FileSystem.write("\(events)\n", to: "\(prefix).\(Recording.traceRequest)")
  }

  /// Writes the timeline of the last program that left a trace.
  ///
  /// - Parameter maps: The images of each program that the process has been, by number.
  func write(maps: [Int: String], title: String, prefix: String) -> TraceRecord {
    var number = 1
    while FileSystem.kind("\(prefix).\(number + 1).trace") == .file { number += 1 }
    let recorded = Recording.Files(prefix: prefix, number: number)
    let images = maps[number] ?? (try? FileSystem.read(recorded.maps)) ?? ""
    let record = files.write(
      .init(trace: recorded.trace, probe: recorded.counters, maps: images), title: title, roles: [:], log: "")
    StandardStreams.error("weir: \(files.words(record, of: title))\n")
    return record
  }
}
