internal import CRuntimeProbe
internal import Glibc

/// Why a probe file could not be read.
package enum ProbeFileError: Error, Sendable, Hashable, CustomStringConvertible {
  case cannotOpen(path: String, errorNumber: Int32)
  case cannotRead(path: String, errorNumber: Int32)
  case truncated(path: String, expected: Int, found: Int)
  case notAProbeFile(path: String)
  case otherVersion(path: String, found: UInt32)
  case otherByteOrder(path: String)
  case otherLayout(path: String)

  package var description: String {
    switch self {
    case .cannotOpen(let path, let number): "\(path): cannot be opened (\(systemMessage(number)))"
    case .cannotRead(let path, let number): "\(path): cannot be read (\(systemMessage(number)))"
    case .truncated(let path, let expected, let found): "\(path): cut off at \(found) of \(expected) bytes"
    case .notAProbeFile(let path): "\(path): not a probe file"
    case .otherVersion(let path, let found):
      "\(path): a probe file of version \(found); this program reads version \(CRP_FILE_VERSION)"
    case .otherByteOrder(let path): "\(path): a probe file from a machine of another byte order"
    case .otherLayout(let path): "\(path): the sizes in the header of this probe file do not fit together"
    }
  }
}

private func systemMessage(_ number: Int32) -> String {
  strerror(number).map { String(cString: $0) } ?? "error \(number)"
}

/// What a probe's mapped file says: the counts and how far the run has got.
package struct ProbeFile: Sendable {
  package var counts: ProbeCounts
  /// Waits, holds and depths; without instances, which only the process itself can tell.
  package var times: ActorTimesReport
  package var progress: ProgressBlock
  /// The process that wrote the file.
  package var process: Int32

  /// Reads the file of another process, which may still be writing it, or be dead. About 9 MB are read.
  package static func read(_ path: String) throws(ProbeFileError) -> ProbeFile {
    try read(path, open: [])
  }

  /// The same with holds that had not ended.
  static func read(_ path: String, open: [OpenHold]) throws(ProbeFileError) -> ProbeFile {
    let bytes = try contents(path, limit: nil)
    let header = try bytes.withUnsafeBytes { validated($0, path: path, wholeFile: true) }.get()
    return bytes.withUnsafeBytes { raw in
      ProbeFile(
        counts: counts(of: raw, header: header), times: times(of: raw, header: header, open: open),
        progress: progress(of: raw, header: header),
        process: Int32(truncatingIfNeeded: header.process))
    }
  }

  /// Reads the progress alone: two pages.
  package static func readProgress(_ path: String) throws(ProbeFileError) -> ProgressBlock {
    let bytes = try contents(path, limit: 8192)
    let header = try bytes.withUnsafeBytes { validated($0, path: path, wholeFile: false) }.get()
    return bytes.withUnsafeBytes { progress(of: $0, header: header) }
  }

  // MARK: Bytes

  static func contents(_ path: String, limit: Int?) throws(ProbeFileError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .cannotOpen(path: path, errorNumber: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .cannotRead(path: path, errorNumber: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAProbeFile(path: path) }
    // No probe file is larger than this process's own layout says; the rest of a larger file is of no interest.
    let size = min(Int(status.st_size), limit ?? 1 << 24)
    var bytes = [UInt8](repeating: 0, count: size)
    var done = 0
    while done < size {
      let got = bytes.withUnsafeMutableBytes { buffer in
        pread(file, buffer.baseAddress.map { $0 + done }, size - done, off_t(done))
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw .cannotRead(path: path, errorNumber: errno) }
      if got == 0 { break }
      done += got
    }
    bytes.removeLast(size - done)
    return bytes
  }

  /// The header, once every offset and size in it is known to lie within the file.
  static func validated(
    _ bytes: UnsafeRawBufferPointer, path: String, wholeFile: Bool
  ) -> Result<crp_file_header, ProbeFileError> {
    let magic = Array(CRP_FILE_MAGIC.utf8)
    guard bytes.count >= magic.count, bytes.prefix(magic.count).elementsEqual(magic) else {
      return .failure(.notAProbeFile(path: path))
    }
    let headerSize = MemoryLayout<crp_file_header>.size
    guard bytes.count >= headerSize else {
      return .failure(.truncated(path: path, expected: headerSize, found: bytes.count))
    }
    let header = bytes.loadUnaligned(as: crp_file_header.self)
    if header.byte_order == UInt32(CRP_BYTE_ORDER).byteSwapped {
      return .failure(.otherByteOrder(path: path))
    }
    guard header.byte_order == CRP_BYTE_ORDER else { return .failure(.notAProbeFile(path: path)) }
    guard header.version == CRP_FILE_VERSION else {
      return .failure(.otherVersion(path: path, found: header.version))
    }
    guard header.header_size == headerSize,
      header.progress_size == MemoryLayout<crp_progress>.size,
      header.actor_size == MemoryLayout<crp_actor_entry>.size,
      header.block_size == MemoryLayout<crp_thread_block>.size,
      header.actor_capacity == CRP_ACTOR_CAPACITY, 1...65536 ~= header.block_capacity,
      header.set_size == MemoryLayout<crp_hold_set>.size,
      header.progress_offset == 4096, header.file_size <= 1 << 24,
      fits(header.actors_offset, header.actor_size, header.actor_capacity, within: header.file_size),
      fits(header.blocks_offset, header.block_size, header.block_capacity, within: header.file_size),
      fits(header.sets_offset, header.set_size, header.set_capacity, within: header.file_size)
    else { return .failure(.otherLayout(path: path)) }
    let needed = wholeFile ? Int(header.file_size) : 4096 + MemoryLayout<crp_progress>.size
    guard bytes.count >= needed else {
      return .failure(.truncated(path: path, expected: needed, found: bytes.count))
    }
    return .success(header)
  }

  private static func fits(_ offset: UInt64, _ size: UInt32, _ count: UInt32, within limit: UInt64) -> Bool {
    offset % 4096 == 0 && offset <= limit && UInt64(size) * UInt64(count) <= limit - offset
  }

  // MARK: Parts

  /// `bytes` are a whole, validated file, or this process's own mapping.
  static func counts(of bytes: UnsafeRawBufferPointer, header: crp_file_header) -> ProbeCounts {
    let coverage = ProbeCoverage(linking: header.linking) ?? .userCode
    let mode: ProbeMode? =
      switch crp_mode(rawValue: header.mode) {
      case CRP_MODE_COUNTING: .counting
      case CRP_MODE_CLASSIFYING: .classifying
      default: nil
      }
    var sum = ProbeCounts(
      coverage: coverage, mode: mode, actors: [], switchesSame: 0, switchesMoved: 0, switchesFast: 0,
      switchesSlow: 0, tasksCreated: 0, tasksEnded: header.tasks_retained, iterationTasksCreated: 0,
      iterationTasksEnded: 0, tasksAliveMax: header.tasks_alive_max, cancels: nil,
      eventsLost: header.events_lost)
    var cancels: UInt64 = 0
    let names = actorNames(of: bytes, header: header)
    var rows = names.map {
      ActorCounts(name: $0.name, qualifiedName: $0.qualified, hops: 0, fast: 0, slow: 0)
    }
    for index in usedBlocks(header) {
      let start = Int(header.blocks_offset) + index * Int(header.block_size)
      let block = { (field: Int) in bytes.loadUnaligned(fromByteOffset: start + field * 8, as: UInt64.self) }
      sum.switchesSame &+= block(0)
      sum.switchesMoved &+= block(1)
      sum.switchesFast &+= block(2)
      sum.switchesSlow &+= block(3)
      sum.tasksCreated &+= block(4)
      sum.tasksEnded &+= block(5)
      sum.iterationTasksCreated &+= block(6)
      sum.iterationTasksEnded &+= block(7)
      cancels &+= block(8)
      for slot in 0..<Int(header.actor_capacity) {
        let counters = actorCountersField + slot * actorCountersFields
        sum.switchesMoved &+= block(counters)
        sum.switchesFast &+= block(counters + 1)
        sum.switchesSlow &+= block(counters + 2)
      }
      for slot in rows.indices {
        let counters = actorCountersField + names[slot].slot * actorCountersFields
        rows[slot].hops &+= block(counters)
        rows[slot].fast &+= block(counters + 1)
        rows[slot].slow &+= block(counters + 2)
      }
    }
    sum.actors = ProbeCounts.named(rows.filter { $0.hops != 0 || $0.fast != 0 || $0.slow != 0 })
    sum.cancels = coverage == .wholeRuntime ? cancels : nil
    return sum
  }

  static func usedBlocks(_ header: crp_file_header) -> [Int] {
    let last = Int(header.block_capacity) - 1
    return Array(0..<min(last, Int(clamping: header.blocks_used))) + [last]
  }

  /// Of a thread block, in words of eight bytes: where its actor counters begin, and how many words each has.
  private static let actorCountersField =
    (MemoryLayout<crp_thread_block>.size - Int(CRP_ACTOR_CAPACITY) * MemoryLayout<crp_actor_counters>.size)
    / 8
  private static let actorCountersFields = MemoryLayout<crp_actor_counters>.size / 8

  static func actorNames(
    of bytes: UnsafeRawBufferPointer, header: crp_file_header
  ) -> [(slot: Int, name: String, qualified: String)] {
    (0..<Int(header.actor_capacity)).compactMap { slot in
      let start = Int(header.actors_offset) + slot * Int(header.actor_size)
      guard bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self) == 1 else { return nil }
      let name = text(bytes, from: start + 8, size: Int(CRP_ACTOR_NAME_SIZE))
      let qualified = text(
        bytes, from: start + 8 + Int(CRP_ACTOR_NAME_SIZE), size: Int(CRP_ACTOR_QUALIFIED_NAME_SIZE))
      return (slot, name, qualified)
    }
  }

  private static func text(_ bytes: UnsafeRawBufferPointer, from start: Int, size: Int) -> String {
    String(decoding: bytes[start..<start + size].prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func progress(of bytes: UnsafeRawBufferPointer, header: crp_file_header) -> ProgressBlock {
    ProgressBlock(
      bytes.loadUnaligned(fromByteOffset: Int(header.progress_offset), as: crp_progress.self))
  }
}
