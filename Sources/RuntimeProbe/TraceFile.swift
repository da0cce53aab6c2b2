internal import CRuntimeProbe
internal import Glibc

/// Reads the raw events of a trace, of this process or of one that may be dead.
package struct TraceFile {
  /// Reads the file at `path` whole; names of actor types come from the probe's file of the same process.
  ///
  /// On the real clock the processor's counter is put against CLOCK_MONOTONIC as of now, so that the rate is that of
  /// the whole run: read it on the machine that wrote it, soon.
  package static func read(_ path: String, probeFile: String) throws(ProbeFileError) -> TraceRecording {
    let bytes = try ProbeFile.contents(path, limit: 1 << 40)
    var recording = try bytes.withUnsafeBytes { raw in make(raw, path: path) }.get().recording()
    recording.actorNames = try ProbeFile.presentedNames(probeFile)
    return recording
  }

  private let header: crp_trace_header
  private let clock: TraceClock
  private var threads: [TraceRecording.Thread] = []
  private var marks: [String] = []
  private var events: [(event: TraceEvent, order: Int)] = []
  private var lost = 0
  private var firstLost: Int64?

  private static func make(_ bytes: UnsafeRawBufferPointer, path: String) -> Result<TraceFile, ProbeFileError>
  {
    switch validated(bytes, path: path) {
    case .failure(let problem): .failure(problem)
    case .success(let header): .success(TraceFile(header, bytes))
    }
  }

  private init(_ header: crp_trace_header, _ bytes: UnsafeRawBufferPointer) {
    self.header = header
    clock = TraceClock(header)
    firstLost = header.first_lost == 0 ? nil : clock.nanoseconds(header.first_lost)
    let lostAt = MemoryLayout<crp_trace_header>.offset(of: \.lost) ?? 0
    for index in 0..<Int(CRP_BLOCK_CAPACITY) {
      lost += Int(clamping: bytes.loadUnaligned(fromByteOffset: lostAt + index * 8, as: UInt64.self))
    }
    let marksAt = MemoryLayout<crp_trace_header>.offset(of: \.marks) ?? 0
    marks = (0..<Int(min(header.marks_used, UInt64(CRP_TRACE_MARK_CAPACITY)))).map { index in
      let size = Int(CRP_TRACE_MARK_SIZE)
      let start = marksAt + index * size
      return String(decoding: bytes[start..<start + size].prefix { $0 != 0 }, as: UTF8.self)
    }
    readChunks(bytes)
  }

  // MARK: Chunks

  private mutating func readChunks(_ bytes: UnsafeRawBufferPointer) {
    var indices: [UInt64: Int] = [:]
    var last: [Int64] = []
    let chunkSize = Int(CRP_TRACE_CHUNK_EVENTS) * MemoryLayout<crp_trace_event>.size
    for chunk in 0..<Int(min(header.chunks_taken, UInt64(header.chunk_capacity))) {
      let start = Int(header.chunks_offset) + chunk * chunkSize
      let first = bytes.loadUnaligned(fromByteOffset: start, as: crp_trace_event.self)
      guard first.what == UInt64(CRP_TRACE_CHUNK.rawValue) else { continue }
      let thread = indices[first.task] ?? threads.count
      if thread == threads.count {
        indices[first.task] = thread
        threads.append(.init(number: Int64(truncatingIfNeeded: first.task)))
        last.append(.min)
      }
      for index in 1..<Int(CRP_TRACE_CHUNK_EVENTS) {
        let at = start + index * MemoryLayout<crp_trace_event>.size
        let raw = bytes.loadUnaligned(fromByteOffset: at, as: crp_trace_event.self)
        if raw.what == 0 { break }
        guard var event = event(raw, thread: thread) else { continue }
        // A counter that steps back as its thread changes cores does not turn the thread's events round.
        event.time = max(event.time, last[thread])
        last[thread] = event.time
        events.append((event, events.count))
      }
    }
  }

  private func event(_ raw: crp_trace_event, thread: Int) -> TraceEvent? {
    guard let kind = TraceEvent.Kind(raw: crp_trace_kind(rawValue: UInt32(raw.what & 0xFFFF))) else {
      return nil
    }
    if kind == .callers {
      return TraceEvent(
        kind, time: clock.nanoseconds(raw.time), thread: thread, task: raw.task, address: raw.place,
        code: raw.what >> 16)
    }
    return TraceEvent(
      kind, time: clock.nanoseconds(raw.time), thread: thread, task: raw.task, address: raw.place >> 16,
      slot: Int(raw.place & 0xFFFF), code: raw.what >> 16)
  }

  /// Sorted, and without what came after the first event that was lost: from there on nothing is whole.
  private func recording() -> TraceRecording {
    var sorted = events
    sorted.sort { ($0.event.time, $0.order) < ($1.event.time, $1.order) }
    let whole = firstLost.map { limit in sorted.prefix { $0.event.time < limit } } ?? sorted[...]
    let started = clock.nanoseconds(header.started_at)
    let stopped = header.stopped_at == 0 ? nil : clock.nanoseconds(header.stopped_at)
    let end = firstLost ?? stopped ?? whole.last?.event.time ?? started
    return TraceRecording(
      events: whole.map(\.event), threads: threads, marks: marks,
      process: Int32(truncatingIfNeeded: header.process), isVirtual: header.is_virtual != 0,
      start: min(started, whole.first?.event.time ?? started), end: max(started, end), wasCut: stopped == nil,
      lost: lost + sorted.count - whole.count, bootOffset: clock.offset(CLOCK_BOOTTIME),
      realOffset: clock.offset(CLOCK_REALTIME))
  }

  // MARK: Checks

  private static func validated(
    _ bytes: UnsafeRawBufferPointer, path: String
  ) -> Result<crp_trace_header, ProbeFileError> {
    let magic = Array(CRP_TRACE_MAGIC.utf8)
    guard bytes.count >= magic.count, bytes.prefix(magic.count).elementsEqual(magic) else {
      return .failure(.notAProbeFile(path: path))
    }
    let size = MemoryLayout<crp_trace_header>.size
    guard bytes.count >= size else {
      return .failure(.truncated(path: path, expected: size, found: bytes.count))
    }
    let header = bytes.loadUnaligned(as: crp_trace_header.self)
    guard header.version == CRP_TRACE_VERSION else {
      return .failure(.otherVersion(path: path, found: header.version))
    }
    guard Int(header.header_size) == size, Int(header.event_size) == MemoryLayout<crp_trace_event>.size,
      header.chunk_events == CRP_TRACE_CHUNK_EVENTS, header.chunk_capacity <= CRP_TRACE_CHUNKS_MAX,
      header.chunks_offset >= UInt64(size), header.chunks_offset < 1 << 30,
      header.file_size
        == header.chunks_offset + UInt64(header.chunk_capacity) * UInt64(header.chunk_events)
        * UInt64(header.event_size)
    else { return .failure(.otherLayout(path: path)) }
    guard UInt64(bytes.count) >= header.file_size else {
      return .failure(.truncated(path: path, expected: Int(header.file_size), found: bytes.count))
    }
    return .success(header)
  }
}

/// From the clock of the events to nanoseconds.
private struct TraceClock {
  private let ticks: UInt64
  private let time: Int64
  private let rate: Double
  private let isVirtual: Bool

  init(_ header: crp_trace_header) {
    isVirtual = header.is_virtual != 0
    ticks = isVirtual ? UInt64(bitPattern: header.cell_start) : header.clock_ticks
    time = isVirtual ? 0 : header.clock_monotonic
    var rate = header.clock_nanoseconds
    if header.uses_cycle_counter != 0 {
      var now: UInt64 = 0
      var monotonic: Int64 = 0
      crp_cycle_counter_now(&now, &monotonic)
      let measured = Double(monotonic - time) / Double(Int64(bitPattern: now &- ticks))
      // A file from before the machine's last start, or from another machine, has its calibration alone.
      if now > ticks, monotonic > time, abs(measured / rate - 1) < 0.01 { rate = measured }
    }
    self.rate = rate > 0 ? rate : 1
  }

  func nanoseconds(_ reading: UInt64) -> Int64 {
    let difference = Int64(bitPattern: reading &- ticks)
    if rate == 1 { return time &+ difference }
    return time &+ (Int64(exactly: (Double(difference) * rate).rounded()) ?? 0)
  }

  /// How far another clock is ahead of CLOCK_MONOTONIC, in ns.
  func offset(_ other: clockid_t) -> Int64 {
    func read(_ clock: clockid_t) -> Int64 {
      var time = timespec()
      clock_gettime(clock, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    return read(other) - read(CLOCK_MONOTONIC)
  }
}

extension ProbeFile {
  /// The names of actor types by slot, qualified where two are alike.
  static func presentedNames(_ path: String) throws(ProbeFileError) -> [Int: String] {
    let bytes = try contents(path, limit: nil)
    let header = try bytes.withUnsafeBytes { validated($0, path: path, wholeFile: true) }.get()
    let rows = bytes.withUnsafeBytes { actorNames(of: $0, header: header) }
    let counts = rows.map {
      ActorCounts(name: $0.name, qualifiedName: $0.qualified, hops: 0, fast: 0, slow: 0)
    }
    let names = Dictionary(
      ProbeCounts.named(counts).map { ($0.qualifiedName, $0.name) }, uniquingKeysWith: { first, _ in first })
    return Dictionary(
      rows.map { ($0.slot, names[$0.qualified] ?? $0.name) }, uniquingKeysWith: { first, _ in first })
  }
}
