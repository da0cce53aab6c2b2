internal import Glibc

/// The place of a file that people name to be written: checked before anything runs, in one way for every option.
struct OutputFile {
  /// The option that names it, and as people wrote it.
  let option: String
  let path: String
  /// Whether the directories above it are made when it is written.
  let makesDirectories: Bool
  /// The file itself: absolute, links followed, whether or not it is there yet.
  let resolved: String

  /// Looks at the place.
  ///
  /// - Throws: `UsageError` when something that is no regular file is there, or none can be made.
  init(
    _ path: String, option: String, makesDirectories: Bool = false, command: String
  ) throws(UsageError) {
    guard !path.isEmpty else { throw UsageError("`--\(option)` needs the name of a file", command: command) }
    if let kind = FileSystem.kind(path), kind != .file {
      throw UsageError(
        "\(path) is \(kind.words), not a file: `--\(option)` would replace it", command: command)
    }
    guard let resolved = FileSystem.resolved(path) else {
      throw UsageError("cannot write \(path): \(FileSystem.reason(path))", command: command)
    }
    // Through links people may have come to something else; /dev/stdout is such a name.
    if let kind = FileSystem.kind(resolved), kind != .file {
      throw UsageError("\(path) is \(kind.words), not a file", command: command)
    }
    self.option = option
    self.makesDirectories = makesDirectories
    self.path = path
    self.resolved = resolved
    if (1...2).contains(where: { FileSystem.identity(descriptor: $0).map { $0 == identity } ?? false }) {
      throw UsageError("\(path) is where the output of this command goes", command: command)
    }
  }

  /// Whether the file can be made: its directory is there, and may be written to.
  private func checkDirectory(command: String) throws(UsageError) {
    if makesDirectories { return }
    let directory = FileSystem.directory(of: resolved)
    guard FileSystem.kind(directory) == .directory, !path.hasSuffix("/") else {
      throw UsageError("\(directory) is no directory: \(path) cannot be written", command: command)
    }
    guard access(directory, W_OK) == 0 else {
      throw UsageError("cannot write \(path): \(SystemError.text(errno))", command: command)
    }
  }

  private var identity: FileSystem.Identity? { FileSystem.identity(resolved) }

  /// Whether both are one file, under whichever names.
  func isSame(as other: String) -> Bool {
    resolved == FileSystem.resolved(other)
      || identity.map { $0 == FileSystem.identity(other) } ?? false
  }

  /// Checks all files of one command: against each other, what the command reads, and where its runs go.
  ///
  /// - Parameters:
  ///   - inputs: Files that the command reads.
  ///   - directories: Its run directories, there or not.
  /// - Throws: `UsageError` for the first that will not do.
  static func check(
    _ files: [OutputFile], inputs: [String], directories: [RunDirectory], command: String
  ) throws(UsageError) {
    for (index, file) in files.enumerated() {
      if let same = inputs.first(where: { file.isSame(as: $0) }) {
        throw UsageError(
          "`--\(file.option)` names \(same), which is read: it would be overwritten", command: command)
      }
      if let other = files[..<index].first(where: { file.isSame(as: $0.resolved) }) {
        throw UsageError("`--\(other.option)` and `--\(file.option)` name the same file", command: command)
      }
      for directory in directories { try file.check(against: directory, command: command) }
      try file.checkDirectory(command: command)
    }
  }

  private func check(against directory: RunDirectory, command: String) throws(UsageError) {
    guard let own = FileSystem.resolved(directory.path) else { return }
    if own == resolved || own.hasPrefix(resolved + "/") {
      throw UsageError("\(path) will be the directory of the run, not a file", command: command)
    }
    let stem = own.hasSuffix("/") ? own : own + "/"
    guard resolved.hasPrefix(stem) else { return }
    let first = String(resolved.dropFirst(stem.count).prefix { $0 != "/" })
    throw UsageError(
      first == "cells" || RunDirectory.products.contains(first)
        ? "\(path) is one of the run's own files: choose another place for `--\(option)`"
        : "\(path) lies in the run directory \(directory.path), where only files of the run may be: choose a "
          + "place outside it for `--\(option)`",
      command: command)
  }
}
