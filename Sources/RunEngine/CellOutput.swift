internal import Glibc

/// A file of a cell that could not be written: what the cell measured is not whole without it.
package struct UnwrittenFile: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file, by the last two names of its path: records hold no place of the machine.
  package let file: String
  /// Why, in the system's words.
  package let reason: String

  /// Names a file that could not be written, and why.
  init(_ path: String, _ reason: String) {
    file = path.split(separator: "/").suffix(2).joined(separator: "/")
    self.reason = reason
  }

  /// Names a file that the system refused to write with this error.
  init(_ path: String, errorNumber: Int32) {
    self.init(path, strerror(errorNumber).map { String(cString: $0) } ?? "error \(errorNumber)")
  }

  /// Whether it belongs to the trace that was asked for: the figures of the cell are whole without.
  package var isOfTrace: Bool { file.hasSuffix(".trace") || file.hasSuffix(".maps") }

  package var description: String { "cannot write \(file): \(reason)" }
}

/// Files of a cell, written whole or not at all.
package enum CellOutput {
  /// Writes beside the place and renames.
  static func write(_ bytes: some Sequence<UInt8>, to path: String) throws(UnwrittenFile) {
    let beside = path + ".\(getpid()).partial"
    let file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw UnwrittenFile(path, errorNumber: errno) }
    var problem = fill(file, Array(bytes))
    if close(file) != 0, problem == 0 { problem = errno }
    if problem == 0, rename(beside, path) != 0 { problem = errno }
    guard problem != 0 else { return }
    unlink(beside)
    throw UnwrittenFile(path, errorNumber: problem)
  }

  /// Writes all bytes to an open file, however often it takes.
  ///
  /// - Returns: 0, or the error that stopped it; `ENOSPC` where nothing more was taken without one.
  package static func fill(_ file: Int32, _ bytes: [UInt8]) -> Int32 {
    bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = Glibc.write(file, bytes.baseAddress! + done, bytes.count - done)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return count < 0 ? errno : ENOSPC }
        done += count
      }
      return 0
    }
  }
}

/// How a cell's process tells the driver which files it could not write. Not through a file: the disk that its log
/// lies on may be the one that is full.
package enum UnwrittenNotice {
  /// The descriptor that the driver gives the process for it: a pipe's end.
  package static let descriptor: Int32 = 3
  /// The variable that says so.
  package static let variable = "WEIR_CELL_NOTICE"

  /// First thing in the process: what the pipeline starts shall not have the descriptor, and nothing shall ever wait.
  static func prepare() {
    guard getenv(variable) != nil else { return }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  /// Tells of a file, from any process that has come of the cell's.
  static func tell(_ unwritten: UnwrittenFile) {
    guard getenv(variable) != nil else { return }
    let line = Array("\(unwritten.file)\t\(unwritten.reason)\n".utf8)
    _ = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  /// The files that were told of, each once, in the order of telling.
  package static func read(_ text: String) -> [UnwrittenFile] {
    var files: [UnwrittenFile] = []
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      let file = UnwrittenFile(parts[0], parts[1])
      if !files.contains(where: { $0.file == file.file }) { files.append(file) }
    }
    return files
  }
}
