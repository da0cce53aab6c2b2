internal import Glibc
internal import RunEngine

/// Files as the driver needs them: whole, or not at all.
enum FileSystem {
  /// Writes a file beside its place, to the disk, and renames it: readers see the old one or the new one. A link
  /// stays, and the file that it names is written.
  ///
  /// - Throws: `WorkFailure` with the system's word, e.g. for a full disk; the old file is then untouched. Also where
  ///   a device, a pipe, a socket or a directory is: none is ever replaced.
  static func write(_ text: String, to path: String) throws(WorkFailure) {
    try write(Array(text.utf8), to: path)
  }

  /// The same of bytes.
  static func write(_ bytes: [UInt8], to path: String) throws(WorkFailure) {
    if let kind = kind(path), kind != .file {
      throw WorkFailure("cannot write \(path): it is \(kind.words), not a file")
    }
    guard let place = resolved(path) else { throw unwritten(path) }
    let beside = place + ".\(getpid()).partial"
    let file = Glibc.open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw unwritten(path) }
    var problem = CellOutput.fill(file, bytes)
    if problem == 0, fsync(file) != 0 { problem = errno }
    if close(file) != 0, problem == 0 { problem = errno }
    if problem == 0, rename(beside, place) != 0 { problem = errno }
    if problem != 0 {
      unlink(beside)
      throw unwritten(path, problem)
    }
  }

  /// Opens a file for what is written as it comes; an old one is emptied.
  static func open(forWriting path: String) throws(WorkFailure) -> Int32 {
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw unwritten(path) }
    return file
  }

  /// Makes renames and new names within a directory outlive a power cut.
  static func synchronise(directory: String) {
    let file = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return }
    fsync(file)
    close(file)
  }

  /// Removes a file, if it is there.
  static func remove(_ path: String) { unlink(path) }

  /// The text of a file.
  static func read(_ path: String) throws(WorkFailure) -> String {
    String(decoding: try bytes(path), as: UTF8.self)
  }

  /// The bytes of a file.
  static func bytes(_ path: String) throws(WorkFailure) -> [UInt8] {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure("read", path) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read", path) }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// The first bytes of a file as a text; empty when it cannot be read.
  static func head(_ path: String, _ count: Int) -> String {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: count)
    return String(decoding: buffer[..<max(0, Glibc.read(file, &buffer, count))], as: UTF8.self)
  }

  /// Makes a directory and those above it.
  static func makeDirectory(_ path: String) throws(WorkFailure) {
    if mkdir(path, 0o755) == 0 || (errno == EEXIST && kind(path) == .directory) { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw unwritten(path, verb: "make the directory")
    }
    try makeDirectory(String(path[..<slash]))
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
      throw unwritten(path, verb: "make the directory")
    }
  }

  /// What a path names.
  enum Kind {
    case file, directory, device, pipe, socket

    /// For people.
    var words: String {
      switch self {
      case .file: "a file"
      case .directory: "a directory"
      case .device: "a device"
      case .pipe: "a pipe"
      case .socket: "a socket"
      }
    }
  }

  /// What the path names; nil when there is nothing.
  static func kind(_ path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFDIR: .directory
    case S_IFREG: .file
    case S_IFIFO: .pipe
    case S_IFSOCK: .socket
    default: .device
    }
  }

  /// The names in a directory, sorted by bytes; empty when it cannot be read.
  static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
  }

  private static func unwritten(
    _ path: String, _ number: Int32 = errno, verb: String = "write"
  ) -> WorkFailure {
    WorkFailure("cannot \(verb) \(path): \(SystemError.text(number))", unwritten: number)
  }

  private static func failure(_ verb: String, _ path: String, _ number: Int32 = errno) -> WorkFailure {
    WorkFailure("cannot \(verb) \(path): \(SystemError.text(number))")
  }
}
