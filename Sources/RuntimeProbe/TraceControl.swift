internal import CRuntimeProbe
internal import Glibc

extension Probe {
  /// Maps a new file for a trace's raw events, 32 bytes each; the disk's space is taken at once. After `start`.
  ///
  /// Throws `ProbeAbsence` when the file cannot be made.
  package static func openTrace(file: String, events: Int, isVirtual: Bool) throws(ProbeAbsence) {
    let problem = crp_trace_open(file, UInt64(clamping: events), isVirtual)
    if problem != 0 {
      let words = strerror(problem).map { String(cString: $0) } ?? "error \(problem)"
      throw ProbeAbsence("\(file): the trace's file cannot be made (\(words))", errorNumber: problem)
    }
  }

  /// Says what the cell's clock read at its start, and begins to trace. In virtual time on the thread that time
  /// belongs to.
  package static func startTrace(cellStart: Int64) {
    crp_trace_set_cell_start(cellStart)
    _ = crp_trace_start()
  }

  /// Ends the trace; the file stays readable.
  package static func stopTrace() { crp_trace_stop() }

  /// The number of a mark; `nil` where no trace is open or there are too many. The same for the same name.
  package static func traceMark(named name: String) -> UInt32? {
    let mark = crp_trace_mark_named(name)
    return mark < CRP_TRACE_MARK_CAPACITY ? mark : nil
  }

  /// Enters an instant of a mark's kind; `value` is cut to 48 bits. A test of a flag while no trace is on.
  package static func traceInstant(_ mark: UInt32, value: UInt64) { crp_trace_mark(mark, value) }

  /// Room for events is taken in blocks of so many; each thread that has events has a block of its own.
  package static let traceEventsBlock = Int(CRP_TRACE_CHUNK_EVENTS)

  /// As many events as a trace may be asked to hold.
  package static let traceEventsLimit = Int(CRP_TRACE_CHUNKS_MAX * CRP_TRACE_CHUNK_EVENTS)
}
