internal import Glibc
internal import RunRecords
internal import RuntimeProbe

/// Finds out what a run runs on. Cost: a few small files, and one `git` process where git is installed.
enum EnvironmentSurvey {
  /// The environment of a run that starts now, in the current directory.
  static func take(scenarioFile: String) -> EnvironmentRecord {
    EnvironmentRecord(
      weir: WeirVersion.current, toolchain: toolchain, build: build, linking: linking, system: system,
      processor: processor, cores: usableCores, commit: GitCheckout.describe(),
      started: UTCStamp.now(.readable),
      scenarioFile: scenarioFile)
  }

  /// The version of the compiler that built this program, as far as it lets itself be asked, and of the
  /// standard library in use.
  static var toolchain: String {
    #if compiler(>=6.5)
      let compiler = "6.5 or later"
    #elseif compiler(>=6.4)
      let compiler = "6.4"
    #elseif compiler(>=6.3.2)
      let compiler = "6.3.2 or later"
    #elseif compiler(>=6.3.1)
      let compiler = "6.3.1"
    #elseif compiler(>=6.3)
      let compiler = "6.3"
    #else
      let compiler = "6.2"
    #endif
    return "Swift \(compiler)"
  }

  /// Whether this program was optimised.
  static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  /// How this program's probe sees the runtime.
  static var linking: String {
    switch Probe.coverage {
    case .success(.wholeRuntime): "wrapped"
    case .success(.userCode): "interposed"
    case .failure: "absent"
    }
  }

  private static var system: String {
    var name = utsname()
    guard uname(&name) == 0 else { return "Linux" }
    return [text(of: &name.sysname), text(of: &name.release), text(of: &name.machine)].joined(separator: " ")
  }

  private static func text<Tuple>(of field: inout Tuple) -> String {
    withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static var processor: String {
    let lines = ((try? FileSystem.read("/proc/cpuinfo")) ?? "").split(separator: "\n")
    let model = lines.first { $0.hasPrefix("model name") }?
      .split(separator: ":", maxSplits: 1).last?.drop { $0 == " " }
    return "\(model.map(String.init) ?? "unknown processor"), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores"
  }

  /// Cores that the scheduler lets this process use.
  private static var usableCores: Int {
    let lines = ((try? FileSystem.read("/proc/self/status")) ?? "").split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("Cpus_allowed:") }) else {
      return sysconf(Int32(_SC_NPROCESSORS_ONLN))
    }
    // A mask in hexadecimal, in groups with commas.
    return line.drop { $0 != ":" }.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
  }
}

/// The time of day, UTC.
enum UTCStamp {
  /// How it is written.
  enum Style {
    /// `2026-01-31T09:05:00Z`
    case readable
    /// `20260131T090500Z`, for file names.
    case compact
  }

  /// Now.
  static func now(_ style: Style) -> String {
    var seconds = time(nil)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let year = "\(parts.tm_year + 1900)"
    let two = { (value: Int32) in value < 10 ? "0\(value)" : "\(value)" }
    let (month, day) = (two(parts.tm_mon + 1), two(parts.tm_mday))
    let (hour, minute, second) = (two(parts.tm_hour), two(parts.tm_min), two(parts.tm_sec))
    return switch style {
    case .readable: "\(year)-\(month)-\(day)T\(hour):\(minute):\(second)Z"
    case .compact: "\(year)\(month)\(day)T\(hour)\(minute)\(second)Z"
    }
  }
}
