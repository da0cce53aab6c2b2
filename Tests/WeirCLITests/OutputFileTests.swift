import Glibc
import Testing

@testable import WeirCLI

@Suite("Files that people name to be written")
struct OutputFileTests {
  /// A directory of its own, resolved, removed at the end.
  private func withDirectory(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/weir-output-XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template).map { String(cString: $0) })
    let root = try #require(FileSystem.resolved(made))
    defer { remove(root) }
    try body(root)
  }

  private func remove(_ path: String) {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      for name in FileSystem.names(in: path) { remove("\(path)/\(name)") }
      rmdir(path)
    } else {
      unlink(path)
    }
  }

  private func file(_ path: String, _ option: String = "trace") throws(UsageError) -> OutputFile {
    try OutputFile(path, option: option, command: "run")
  }

  private func check(
    _ files: [OutputFile], inputs: [String] = [], out: String = "/nonexistent/out"
  ) throws(UsageError) {
    try OutputFile.check(files, inputs: inputs, directories: [RunDirectory(path: out)], command: "run")
  }

  private func message(_ body: () throws -> Void) -> String {
    do { try body() } catch {
      return (error as? UsageError)?.message ?? (error as? WorkFailure)?.message ?? ""
    }
    return ""
  }

  /// Makes what is no file, as far as this user may.
  private func others(in root: String) -> [(path: String, words: String)] {
    mkdir("\(root)/directory", 0o755)
    mkfifo("\(root)/pipe", 0o644)
    var made = [("\(root)/directory", "a directory"), ("\(root)/pipe", "a pipe")]
    // 1, 3: what /dev/null is.
    if mknod("\(root)/device", S_IFCHR | 0o666, 1 << 8 | 3) == 0 {
      made.append(("\(root)/device", "a device"))
    }
    if mknod("\(root)/socket", S_IFSOCK | 0o666, 0) == 0 { made.append(("\(root)/socket", "a socket")) }
    return made
  }

  @Test("what is no regular file is refused, by itself and through links, and no writer replaces it")
  func others() throws {
    try withDirectory { root in
      for (path, words) in others(in: root) {
        symlink(path, path + ".link")
        let before = FileSystem.identity(path)
        for name in [path, path + ".link", "\(root)/directory/../" + path.dropFirst(root.count + 1)] {
          #expect(message { _ = try file(name) }.contains("\(name) is \(words)"))
          #expect(message { try FileSystem.write("x", to: name) }.contains("it is \(words), not a file"))
        }
        #expect(FileSystem.identity(path) == before)
        #expect(FileSystem.kind(path)?.words == words)
      }
      #expect(!FileSystem.names(in: root).contains { $0.hasSuffix(".partial") })
    }
  }

  @Test("a link stays, and the file that it names is written, there or not yet")
  func links() throws {
    try withDirectory { root in
      mkdir("\(root)/a", 0o755)
      try FileSystem.write("old", to: "\(root)/a/old")
      for name in ["old", "new"] {
        symlink("a/\(name)", "\(root)/\(name)")
        #expect(try file("\(root)/\(name)").resolved == "\(root)/a/\(name)")
        try FileSystem.write("new", to: "\(root)/\(name)")
        #expect(try FileSystem.read("\(root)/a/\(name)") == "new")
        var status = stat()
        #expect(lstat("\(root)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
      }
      symlink("round", "\(root)/round")
      #expect(message { _ = try file("\(root)/round") }.contains("cannot write"))
      #expect(!message { try FileSystem.write("x", to: "\(root)/round") }.isEmpty)
      #expect(message { _ = try file("\(root)/a/old/x") }.contains("cannot write"))
      #expect(!message { _ = try file("") }.isEmpty)
    }
  }

  @Test("one file under two names, and a file that is read, are refused")
  func same() throws {
    try withDirectory { root in
      mkdir("\(root)/a", 0o755)
      for name in ["\(root)/a/../b", "\(root)/./b", "\(root)//b"] {
        let both = [try file("\(root)/b"), try file(name, "pprof")]
        #expect(message { try check(both) } == "`--trace` and `--pprof` name the same file")
      }
      try check([try file("\(root)/b"), try file("\(root)/c", "pprof")])
      try FileSystem.write("name: s", to: "\(root)/s.yaml")
      link("\(root)/s.yaml", "\(root)/hard")
      symlink("s.yaml", "\(root)/soft")
      for name in ["s.yaml", "hard", "soft", "a/../s.yaml"] {
        let target = try file("\(root)/\(name)")
        #expect(message { try check([target], inputs: ["\(root)/s.yaml"]) }.contains("which is read"))
      }
    }
  }

  @Test("the run directory is the run's own, there or not yet", arguments: [false, true])
  func runDirectory(isThere: Bool) throws {
    try withDirectory { root in
      let out = "\(root)/out"
      if isThere { mkdir(out, 0o755) }
      mkdir("\(root)/a", 0o755)
      symlink("out", "\(root)/link")
      for name in RunDirectory.products + ["cells/001.trace"] {
        for target in ["\(out)/\(name)", "\(root)/a/../out/\(name)", "\(root)/link/\(name)"] {
          let target = try file(target)
          #expect(message { try check([target], out: out) }.contains("one of the run's own files"))
          #expect(message { try check([target], out: "\(root)/link") }.contains("one of the run's own files"))
        }
      }
      let within = try file("\(out)/t.pt")
      #expect(message { try check([within], out: out) }.contains("lies in the run directory"))
      let above = try file("\(root)/new")
      #expect(message { try check([above], out: "\(root)/new/out") }.contains("directory of the run"))
      try check([try file("\(root)/outer")], out: out)
      let nowhere = try file("\(root)/nowhere/t.pt")
      #expect(message { try check([nowhere], out: out) }.contains("is no directory"))
      #expect((FileSystem.kind(out) == nil) == !isThere)
    }
  }
}
