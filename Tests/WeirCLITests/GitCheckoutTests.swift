import Glibc
import Testing

@testable import WeirCLI

@Suite("The git commit")
struct GitCheckoutTests {
  private static let commit = String(repeating: "0123456789", count: 4)

  /// A directory of files, removed at the end.
  private func withFiles(_ files: [String: String], _ body: (String) throws -> Void) throws {
    var template = Array("/tmp/weir-git-XXXXXX".utf8CString)
    let root = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer { remove(root) }
    for (name, text) in files {
      let path = "\(root)/\(name)"
      try FileSystem.makeDirectory(String(path[..<path.lastIndex(of: "/")!]))
      try FileSystem.write(text, to: path)
    }
    try body(root)
  }

  private func remove(_ path: String) {
    if FileSystem.kind(path) == .directory {
      for name in FileSystem.names(in: path) { remove("\(path)/\(name)") }
      rmdir(path)
    } else {
      unlink(path)
    }
  }

  @Test("Is found by branch, by packed branch, detached, and from a linked worktree")
  func commits() throws {
    let head = ["a/.git/HEAD": "ref: refs/heads/main\n"]
    for more in [
      ["a/.git/refs/heads/main": Self.commit + "\n"],
      ["a/.git/packed-refs": "# pack-refs with: peeled\n\(Self.commit) refs/heads/main\n"],
      ["a/.git/HEAD": Self.commit + "\n"],
      [
        "a/.git": "gitdir: ../main/.git/worktrees/a\n",
        "main/.git/worktrees/a/HEAD": "ref: refs/heads/main\n",
        "main/.git/worktrees/a/commondir": "../..\n", "main/.git/refs/heads/main": Self.commit + "\n",
      ],
    ] {
      let base = more["a/.git"] == nil ? head : [:]
      try withFiles(base.merging(more) { $1 }.merging(["a/b/c/file": ""]) { $1 }) { root in
        let found = try #require(GitCheckout.root(from: root + "/a/b/c"))
        #expect(GitCheckout.commit(found) == Self.commit)
      }
    }
  }

  @Test("Is absent where nothing was committed or the file is no ref")
  func absent() throws {
    for head in ["ref: refs/heads/main\n", "junk", ""] {
      try withFiles([".git/HEAD": head]) { root in
        #expect(GitCheckout.root(from: root).flatMap(GitCheckout.commit) == nil)
      }
    }
  }

  @Test("A file that cannot be written leaves the old one and no other")
  func atomicWrite() throws {
    try withFiles(["kept": "old"]) { root in
      #expect(throws: WorkFailure.self) { try FileSystem.write("new", to: root + "/no/such/place") }
      try FileSystem.write("new", to: root + "/kept")
      #expect(try FileSystem.read(root + "/kept") == "new")
      #expect(FileSystem.names(in: root) == ["kept"])
    }
  }
}
