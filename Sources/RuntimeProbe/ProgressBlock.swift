internal import CRuntimeProbe

/// How far a run has got, as the run engine writes it for the driver to read from outside.
package struct ProgressBlock: Sendable, Hashable {
  /// A short word, e.g. `warm-up`; cut to 31 bytes of UTF-8.
  package var phase: String = ""
  package var planned: UInt64 = 0
  package var started: UInt64 = 0
  package var completed: UInt64 = 0
  package var failed: UInt64 = 0
  package var cancelled: UInt64 = 0
  package var dropped: UInt64 = 0
  package var queued: UInt64 = 0
  package var inFlight: UInt64 = 0
  /// Nanoseconds of virtual time; 0 on the real clock.
  package var virtualNow: Int64 = 0
  /// Nanoseconds since the cell's load began, on the cell's own clock.
  package var cellTime: Int64 = 0
  /// Nanoseconds since the load began at which it is planned to end.
  package var plannedEnd: Int64 = 0
  /// Set by `store`: nanoseconds of the kernel's monotonic clock, comparable between processes.
  package private(set) var lastProgress: Int64 = 0
  /// Set by `store`: the process that wrote it.
  package private(set) var process: Int32 = 0
  /// The writer was in the middle of a store, or died in one: fields may be of two stores.
  package private(set) var isTorn: Bool = false

  package init() {}

  /// Writes the values into the probe's mapped file. Any thread; well under a microsecond, no allocation.
  package func store() {
    var raw = crp_progress()
    withUnsafeMutableBytes(of: &raw.phase) { target in
      var phase = Substring(phase)
      while phase.utf8.count >= target.count { phase.removeLast() }
      for (index, byte) in phase.utf8.enumerated() { target[index] = byte }
    }
    raw.planned = planned
    raw.started = started
    raw.completed = completed
    raw.failed = failed
    raw.cancelled = cancelled
    raw.dropped = dropped
    raw.queued = queued
    raw.in_flight = inFlight
    raw.virtual_now = virtualNow
    raw.cell_time = cellTime
    raw.planned_end = plannedEnd
    crp_progress_store(&raw)
  }

  init(_ raw: crp_progress) {
    phase = withUnsafeBytes(of: raw.phase) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    planned = raw.planned
    started = raw.started
    completed = raw.completed
    failed = raw.failed
    cancelled = raw.cancelled
    dropped = raw.dropped
    queued = raw.queued
    inFlight = raw.in_flight
    virtualNow = raw.virtual_now
    cellTime = raw.cell_time
    plannedEnd = raw.planned_end
    lastProgress = raw.last_progress
    process = Int32(truncatingIfNeeded: raw.process)
    isTorn = raw.sequence % 2 != 0
  }
}
