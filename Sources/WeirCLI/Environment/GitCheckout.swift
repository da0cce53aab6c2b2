internal import Glibc

/// The git commit of a directory, read from git's own files.
enum GitCheckout {
  /// The commit checked out around `directory`, with `+changes` where git says that tracked files differ from
  /// it; nil outside a checkout and before the first commit.
  static func describe(directory: String = ".") -> String? {
    guard let root = root(from: directory), let commit = commit(root) else { return nil }
    return hasChanges(root.worktree) ? commit + "+changes" : commit
  }

  /// A checkout: where its files are, and where git keeps its own.
  struct Root {
    var worktree: String
    var gitDirectory: String
  }

  /// Looks for `.git` from `directory` upwards; a linked worktree has a file there that points on.
  static func root(from directory: String) -> Root? {
    guard let resolved = realpath(directory, nil) else { return nil }
    defer { free(resolved) }
    var path = String(cString: resolved)
    while true {
      let candidate = path + "/.git"
      switch FileSystem.kind(candidate) {
      case .directory?: return Root(worktree: path, gitDirectory: candidate)
      case .file?:
        guard let line = firstLine(candidate), line.hasPrefix("gitdir: ") else { return nil }
        let target = String(line.dropFirst("gitdir: ".count))
        return Root(worktree: path, gitDirectory: target.hasPrefix("/") ? target : path + "/" + target)
      default: break
      }
      guard let slash = path.lastIndex(of: "/"), path != "/" else { return nil }
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
  }

  /// The commit that HEAD names, directly or by a branch.
  static func commit(_ root: Root) -> String? {
    guard let head = firstLine(root.gitDirectory + "/HEAD") else { return nil }
    guard head.hasPrefix("ref: ") else { return isCommit(head) ? head : nil }
    let reference = String(head.dropFirst("ref: ".count))
    let shared = firstLine(root.gitDirectory + "/commondir").map { path in
      path.hasPrefix("/") ? path : root.gitDirectory + "/" + path
    }
    for directory in [root.gitDirectory, shared].compactMap({ $0 }) {
      if let line = firstLine("\(directory)/\(reference)"), isCommit(line) { return line }
    }
    let packed = (try? FileSystem.read("\(shared ?? root.gitDirectory)/packed-refs")) ?? ""
    for line in packed.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      if parts.count == 2, parts[1] == reference, isCommit(String(parts[0])) { return String(parts[0]) }
    }
    return nil
  }

  private static func firstLine(_ path: String) -> String? {
    (try? FileSystem.read(path))?.split(separator: "\n").first.map(String.init)
  }

  private static func isCommit(_ text: String) -> Bool {
    [40, 64].contains(text.count) && text.allSatisfy { $0.isHexDigit && $0.isASCII }
  }

  /// Asks git; without git, or when it does not answer, nothing is claimed.
  private static func hasChanges(_ worktree: String) -> Bool {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    }
    let arguments = ["git", "-C", worktree, "--no-optional-locks", "diff", "--quiet", "HEAD"]
    let copies = arguments.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, "git", &actions, nil, copies, environ) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return false } }
    return status & 0x7f == 0 && (status >> 8) & 0xff == 1
  }
}
