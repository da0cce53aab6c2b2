internal import CRuntimeProbe
internal import Glibc

/// The mapped control file of a recorded program.
final class ControlFile {
  private let base: UnsafeMutableRawPointer
  private let size: Int

  /// Nil where the file is not there, not whole, or of another layout.
  init?(_ path: String, isWritable: Bool = false) {
    let file = open(path, (isWritable ? O_RDWR : O_RDONLY) | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    let least = MemoryLayout<crp_recording>.size
    guard fstat(file, &status) == 0, Int(status.st_size) >= least else { return nil }
    let size = Int(status.st_size)
    guard let base = mmap(nil, size, PROT_READ | (isWritable ? PROT_WRITE : 0), MAP_SHARED, file, 0),
      base != MAP_FAILED
    else { return nil }
    self.base = base
    self.size = size
    let head = base.loadUnaligned(as: crp_recording.self)
    let magic = Array(CRP_RECORDING_MAGIC.utf8)
    let list = Int(CRP_TASK_CAPACITY) * MemoryLayout<crp_live_task>.size
    let snapshot = MemoryLayout<crp_snapshot>.size + MemoryLayout<crp_thread_block>.size
    let fits =
      withUnsafeBytes(of: head.magic) { $0.elementsEqual(magic) } && Int(head.size) == least
      && Int(head.live_task_size) == MemoryLayout<crp_live_task>.size && head.file_size <= UInt64(size)
      && head.snapshot_size >= UInt64(snapshot) && head.task_list_size >= UInt64(list)
      && head.snapshots_offset.addingReportingOverflow(UInt64(CRP_SNAPSHOT_CAPACITY) * head.snapshot_size)
        .partialValue <= head.file_size
      && head.tasks_offset.addingReportingOverflow(2 * head.task_list_size).partialValue <= head.file_size
    if !fits { return nil }
  }

  deinit { munmap(base, size) }

  var head: crp_recording { base.loadUnaligned(as: crp_recording.self) }

  /// What the last look at the ledger saw.
  var ledger: Recording.LedgerLook? {
    let head = head
    let list = Int(head.task_list & 1)
    let times = [head.looked_at.0, head.looked_at.1]
    let counts = [head.task_counts.0, head.task_counts.1]
    guard times[list] != 0 else { return nil }
    let start = Int(head.tasks_offset) + list * Int(head.task_list_size)
    let kept = min(Int(clamping: counts[list]), Int(CRP_TASK_CAPACITY))
    let tasks = (0..<kept).map { index in
      LiveTask(
        base.loadUnaligned(
          fromByteOffset: start + index * MemoryLayout<crp_live_task>.stride, as: crp_live_task.self))
    }
    return Recording.LedgerLook(
      time: times[list], total: Int(clamping: counts[list]), tasks: tasks.sorted { $0.id < $1.id })
  }

  /// The counts of one snapshot: the counters' file with the sums of the snapshot in the place of its blocks.
  func snapshot(_ index: Int, counters: String) -> (time: Int64, counts: ProbeCounts)? {
    guard var bytes = try? ProbeFile.contents(counters, limit: nil) else { return nil }
    let start = Int(head.snapshots_offset) + index * Int(head.snapshot_size)
    let snapshot = base.loadUnaligned(fromByteOffset: start, as: crp_snapshot.self)
    var header = snapshot.header
    let block = Int(header.block_size)
    let blocks = Int(clamping: header.blocks_offset)
    guard block == MemoryLayout<crp_thread_block>.size, Int(header.file_size) <= bytes.count,
      blocks + Int(header.block_capacity) * block <= bytes.count
    else { return nil }
    header.blocks_used = 1
    let sum = UnsafeRawBufferPointer(start: base + start + MemoryLayout<crp_snapshot>.size, count: block)
    bytes.replaceSubrange(blocks..<blocks + block, with: sum)
    let last = blocks + (Int(header.block_capacity) - 1) * block
    bytes.replaceSubrange(last..<last + block, with: repeatElement(0, count: block))
    let counts = bytes.withUnsafeBytes { ProbeFile.counts(of: $0, header: header) }
    return (snapshot.taken_at, counts)
  }

  /// Holds that had not ended at the last look, and when that was, CLOCK_MONOTONIC in ns.
  var openHolds: (time: Int64, holds: [OpenHold]) {
    let head = head
    let list = Int(head.open_list & 1)
    let counts = [head.open_counts.0, head.open_counts.1]
    let lists = MemoryLayout<crp_recording>.offset(of: \.open_holds) ?? 0
    let start = lists + list * Int(CRP_OPEN_HOLD_CAPACITY) * MemoryLayout<crp_open_hold>.stride
    return ([head.holds_at.0, head.holds_at.1][list], holds(at: start, count: counts[list]))
  }

  /// The parts in windows of those that had not ended when one closed.
  private var windowHolds: [OpenHold] {
    let start = MemoryLayout<crp_recording>.offset(of: \.window_holds) ?? 0
    return holds(at: start, count: UInt64(head.window_hold_count))
  }

  private func holds(at start: Int, count: UInt64) -> [OpenHold] {
    (0..<min(Int(clamping: count), Int(CRP_OPEN_HOLD_CAPACITY))).map { index in
      OpenHold(
        base.loadUnaligned(
          fromByteOffset: start + index * MemoryLayout<crp_open_hold>.stride, as: crp_open_hold.self))
    }
  }

  /// Waits, holds and routes of the windows that were closed, and those until one was opened that was not closed;
  /// why they are not told, where they are not.
  var windowTimes: Result<(closed: ActorTimesReport?, opened: ActorTimesReport?), ProbeAbsence> {
    let head = head
    switch crp_window_state(rawValue: head.window_state) {
    case CRP_WINDOWS_WHOLE: break
    case CRP_WINDOWS_WRITING:
      return .failure(ProbeAbsence("the program ended while a window was being opened or closed"))
    default: return .failure(ProbeAbsence("there was no room for the waits and holds of windows"))
    }
    let isOpen = head.snapshot_count % 2 == 1
    let closed = head.windows_closed > 0 ? image(1, head, open: windowHolds)?.bounded : nil
    let opened = isOpen ? image(0, head) : nil
    guard (closed != nil) == (head.windows_closed > 0), (opened != nil) == isOpen else {
      return .failure(ProbeAbsence("what was kept of the windows cannot be read"))
    }
    return .success((closed, opened))
  }

  /// One of the two images of the probe's file.
  private func image(_ index: Int, _ head: crp_recording, open: [OpenHold] = []) -> ActorTimesReport? {
    let (length, isTooLong) = head.image_size.multipliedReportingOverflow(by: 2)
    let (end, isTooFar) = head.images_offset.addingReportingOverflow(length)
    guard head.images_offset > 0, !isTooLong, !isTooFar, end <= head.file_size, head.file_size <= UInt64(size)
    else { return nil }
    let bytes = UnsafeRawBufferPointer(
      start: base + Int(head.images_offset) + index * Int(head.image_size), count: Int(head.image_size))
    guard let header = try? ProbeFile.validated(bytes, path: "window", wholeFile: true).get() else {
      return nil
    }
    return ProbeFile.times(of: bytes, header: header, open: open)
  }

  /// Sets a bit of the command word, wakes the probe and waits for its answer.
  func ask(_ command: crp_recording_command) -> Bool {
    guard crp_recording_state(rawValue: head.state) == CRP_RECORDING_COUNTING else { return false }
    return crp_recording_ask(base, command.rawValue)
  }
}
