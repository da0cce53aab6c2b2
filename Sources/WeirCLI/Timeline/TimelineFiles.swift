internal import Glibc
internal import RunEngine
internal import RunRecords
internal import RuntimeProbe
internal import Scenarios
internal import Timeline

/// Makes the timeline of a traced process out of what it left, also of one that was killed.
struct TimelineFiles {
  /// Perfetto's trace and the profile; nil: not asked for.
  let trace: String?
  let profile: String?

  /// Where the process left its raw events and its counters, and what its images were.
  struct Source {
    var trace: String
    var probe: String
    /// The text of its `/proc/PID/maps`.
    var maps: String
  }

  /// Reads the source and writes what was asked for.
  ///
  /// - Parameters:
  ///   - title: Of what the trace is, for people.
  ///   - roles: Of actor types, by unqualified name.
  ///   - log: Why there may be none: what the process said.
  /// - Returns: What came of it; without events where the process left none. A file that cannot be written is told
  ///   there: it is no reason to lose the run.
  func write(_ source: Source, title: String, roles: [String: String], log: String) -> TraceRecord {
    let recording: TraceRecording
    do throws(ProbeFileError) {
      recording = try TraceFile.read(source.trace, probeFile: source.probe)
    } catch {
      let reason = log.split(separator: "\n").first { $0.contains("no trace: ") }.map(String.init)
      return TraceRecord(
        events: 0, lost: 0, length: 0, note: "no timeline: \(reason ?? "the process left no events")")
    }
    let model = TimelineModel(recording)
    // Of a wait for a scripted provider, the pipeline's function says more.
    var code = CodeNames(
      maps: source.maps, between: ["ProviderScripts", "WorkloadInterface"])
    let names = FunctionNames(for: model) { code.name(of: $0) }
    let failures = [
      Self.failure(trace) { PerfettoTrace.bytes(model, of: recording, names: names, title: title) },
      Self.failure(profile) {
        StackProfile.bytes(model, of: recording, names: names, roles: roles, title: title)
      },
    ].compactMap(\.self)
    return TraceRecord(
      events: recording.events.count, lost: recording.lost, length: recording.end - recording.start,
      note: recording.wasCut && recording.lost == 0 ? "the process ended without ending its trace" : nil,
      failure: failures.isEmpty ? nil : failures.joined(separator: "; "))
  }

  /// Writes one file, if it is asked for; why it could not be.
  private static func failure(_ path: String?, _ bytes: () -> [UInt8]) -> String? {
    guard let path else { return nil }
    do throws(WorkFailure) {
      try FileSystem.write(bytes(), to: path)
      return nil
    } catch {
      return error.message
    }
  }

  /// What people are told of it.
  func words(_ record: TraceRecord, of title: String) -> String {
    guard record.events > 0 || record.note == nil else { return "\(title): \(record.note ?? "")" }
    if let failure = record.failure {
      return "the timeline of \(title), \(record.events) events, is not whole: \(failure)"
    }
    let files = [trace, profile].compactMap(\.self).joined(separator: " and ")
    let events = "\(record.events) events in \(files)"
    return "traced \(title): \(events)" + (record.note.map { "; \($0)" } ?? "")
  }
}
