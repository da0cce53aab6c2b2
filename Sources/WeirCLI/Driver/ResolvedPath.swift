internal import Glibc

extension FileSystem {
  /// What tells a file from all others, under whichever names.
  struct Identity: Equatable {
    var device: dev_t
    var inode: ino_t
  }

  /// The identity of what a path names, links followed; nil when there is nothing.
  static func identity(_ path: String) -> Identity? {
    var status = stat()
    return stat(path, &status) == 0 ? Identity(device: status.st_dev, inode: status.st_ino) : nil
  }

  /// The identity of an open file.
  static func identity(descriptor: Int32) -> Identity? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Identity(device: status.st_dev, inode: status.st_ino) : nil
  }

  /// The absolute path without links and dots of a file that may not be there yet, nor the directories above it;
  /// nil when its links go in a circle or a name on the way is no directory.
  static func resolved(_ path: String) -> String? { resolved(path, links: 40) }

  private static func resolved(_ path: String, links: Int) -> String? {
    if let found = realpath(path, nil) {
      defer { free(found) }
      return String(cString: found)
    }
    guard errno == ENOENT, links > 0, !path.isEmpty else { return nil }
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let above = directory(of: path)
    if let target = link(path) {
      return resolved(target.hasPrefix("/") ? target : "\(above)/\(target)", links: links - 1)
    }
    guard let above = resolved(above, links: links) else { return nil }
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    switch name {
    case ".": return above
    case "..": return directory(of: above)
    default: return above == "/" ? "/\(name)" : "\(above)/\(name)"
    }
  }

  /// Why a path cannot be resolved, in the system's words.
  static func reason(_ path: String) -> String {
    guard let found = realpath(path, nil) else {
      return SystemError.text(errno == ENOENT ? ELOOP : errno)
    }
    free(found)
    return SystemError.text(ELOOP)
  }

  /// The directory that a path lies in, by its letters.
  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Where a symbolic link points; nil when the path is none.
  private static func link(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
