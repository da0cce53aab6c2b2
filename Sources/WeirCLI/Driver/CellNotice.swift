internal import Glibc
internal import RunEngine

/// The pipe through which a cell's process tells which files it could not write.
final class CellNotice {
  private let readEnd: Int32
  /// The end that the process gets.
  let end: Int32

  /// Makes the pipe.
  ///
  /// - Throws: `WorkFailure` when the system has none to give.
  init() throws(WorkFailure) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw WorkFailure("cannot make a pipe to a cell: \(SystemError.text(errno))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (readEnd, end) = (ends[0], ends[1])
    _ = fcntl(readEnd, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(readEnd)
    close(end)
  }

  /// What was told. What the cell may have left running keeps the pipe open: nothing is waited for.
  var unwritten: [UnwrittenFile] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Glibc.read(readEnd, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return UnwrittenNotice.read(String(decoding: bytes, as: UTF8.self))
  }
}
