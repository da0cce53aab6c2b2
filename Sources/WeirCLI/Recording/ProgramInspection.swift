internal import Glibc
internal import RuntimeProbe

/// What a program's file says of how it can be recorded, found out before it starts.
struct ProgramInspection {
  /// How the probe can get into the program.
  enum Way: Equatable {
    /// The system's loader can preload it. Whether there is a runtime to look at shows in the program.
    case preload
    /// It cannot be preloaded; if it was built in, it starts itself.
    case builtIn(answer: [String])
    /// Neither; why.
    case none(answer: [String])
  }

  /// The file that is started.
  let path: String
  /// How the probe gets in.
  let way: Way
  /// Whether names of its own functions are left in it; nil where that does not matter.
  let hasSymbols: Bool?

  /// Whether a shell is asked to run it where the system does not, as `execvp` asks: nothing says that it is a
  /// program.
  var mayBeShellScript: Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    if case .other = ELFFile.kind(of: file) { return true }
    return false
  }

  private static let loader = "/lib64/ld-linux-x86-64.so.2"

  /// Looks at the file that `execvp` would start.
  ///
  /// - Throws: `RecordFailure` with 127 where there is none, 126 where it cannot be executed.
  init(program: String) throws(RecordFailure) {
    path = try Self.find(program)
    (way, hasSymbols) = Self.look(path, depth: 4)
  }

  private static func find(_ program: String) throws(RecordFailure) -> String {
    let candidates =
      program.contains("/")
      ? [program]
      : (environment("PATH") ?? "/bin:/usr/bin").split(separator: ":", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? program : "\($0)/\(program)" }
    var refused: String?
    for candidate in candidates where FileSystem.kind(candidate) != nil {
      if FileSystem.kind(candidate) != .directory, access(candidate, X_OK) == 0 { return candidate }
      refused = refused ?? candidate
    }
    if let refused {
      let why = FileSystem.kind(refused) == .directory ? "it is a directory" : "it may not be executed"
      throw RecordFailure(126, "cannot start \(refused): \(why)")
    }
    throw RecordFailure(127, "there is no program `\(program)`")
  }

  private static func look(_ path: String, depth: Int) -> (Way, Bool?) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      return (.none(answer: ["\(path) may be executed and not read: the probe stays out"]), nil)
    }
    defer { close(file) }
    if Recording.givesRights(file) {
      let answer =
        "\(path) runs with rights of its own (setuid, setgid or capabilities): its loader takes no preload"
      return (.none(answer: [answer]), nil)
    }
    switch ELFFile.kind(of: file) {
    case .foreign:
      return (.none(answer: ["\(path) is for another machine or has 32 bits: the probe is for x86-64"]), nil)
    case .other:
      return (.none(answer: ["\(path) is neither a program nor a script with a first line #!"]), nil)
    case .script(let interpreter):
      guard depth > 0 else { return (.none(answer: ["\(path) is a script of scripts without end"]), nil) }
      return (look(interpreter, depth: depth - 1).0, nil)
    case .elf(let elf): return (look(elf, path), elf.hasSymbols)
    }
  }

  private static func look(_ elf: ELFFile, _ path: String) -> Way {
    let carriesRuntime = elf.isSwift && !elf.libraries.contains { $0.hasPrefix("libswift") }
    if carriesRuntime { return .builtIn(answer: buildItIn(path)) }
    guard let interpreter = elf.interpreter else {
      return .none(answer: ["\(path) is linked statically and holds no Swift: nothing to count"])
    }
    guard interpreter == loader else {
      return .none(answer: ["\(path) asks for the loader \(interpreter): the probe is for \(loader)"])
    }
    return .preload
  }

  /// The runtime's functions that the linker has to turn over to the probe; `wrapped-symbols.txt` of the sources.
  static let wrapped = [
    "swift_task_switch", "swift_task_create", "swift_asyncLet_finish", "swift_task_cancel", "swift_job_run",
    "swift_job_run_on_task_executor", "swift_job_run_on_serial_and_task_executor",
    "swift_continuation_await", "swift_defaultActor_initialize",
  ]

  private static func buildItIn(_ path: String) -> [String] {
    let flags = wrapped.map { "-Xlinker --wrap=\($0)" }.joined(separator: " ")
    return [
      "\(path) carries the Swift runtime in itself: no preload reaches it. Two lines build the probe in:",
      "  .product(name: \"WeirRecording\", package: \"weir\"),   // a dependency of its target in Package.swift",
      "  swift build -c release --static-swift-stdlib -Xcc -DCRP_WRAP \(flags)",
    ]
  }
}

/// A failure of `weir record` itself: 125, or like a shell's 126 and 127 for the program's file.
struct RecordFailure: Error {
  let code: Int32
  let message: String

  init(_ code: Int32, _ message: String) {
    self.code = code
    self.message = message
  }
}
