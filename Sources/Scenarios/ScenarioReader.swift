internal import Glibc
package import WorkloadInterface

/// Reads scenario files: each becomes a checked `Scenario`, or a list of all its faults.
package struct ScenarioReader: Sendable {
  private let workloads: [WorkloadDeclaration]

  /// A reader that knows these pipelines.
  package init(workloads: [WorkloadDeclaration]) { self.workloads = workloads }

  /// Reads files. Faults of all of them are collected; two scenarios of one name are a fault.
  package func read(
    files: [String], overrides: [ScenarioOverride] = [], strategies: [String] = []
  ) -> Result<[Scenario], ScenarioErrors> {
    var scenarios: [Scenario] = []
    var faults: [ScenarioDiagnostic] = []
    var places: [String: String] = [:]
    for file in files {
      switch read(file: file, overrides: overrides, strategies: strategies) {
      case .success(let scenario):
        if let first = places[scenario.name] {
          faults.append(
            ScenarioDiagnostic(
              file: file, message: "a second scenario has the name `\(scenario.name)`", text: scenario.name,
              allowed: "another `name`; the first is \(first)"))
        }
        places[scenario.name] = places[scenario.name] ?? file
        scenarios.append(scenario)
      case .failure(let errors): faults += errors.diagnostics
      }
    }
    return faults.isEmpty ? .success(scenarios) : .failure(ScenarioErrors(faults))
  }

  /// Reads one file.
  package func read(
    file: String, overrides: [ScenarioOverride] = [], strategies: [String] = []
  ) -> Result<Scenario, ScenarioErrors> {
    switch FileBytes.read(file, atMost: TextScreening.largest + 1) {
    case .failure(let fault): .failure(ScenarioErrors([fault]))
    case .success(let bytes): read(bytes: bytes, file: file, overrides: overrides, strategies: strategies)
    }
  }

  /// Reads a text; `file` is what faults name it by.
  package func read(
    text: String, file: String, overrides: [ScenarioOverride] = [], strategies: [String] = []
  ) -> Result<Scenario, ScenarioErrors> {
    read(bytes: Array(text.utf8), file: file, overrides: overrides, strategies: strategies)
  }

  /// Reads the bytes of a file, whatever they are.
  package func read(
    bytes: [UInt8], file: String, overrides: [ScenarioOverride] = [], strategies: [String] = []
  ) -> Result<Scenario, ScenarioErrors> {
    switch TextScreening.text(of: bytes, file: file) {
    case .failure(let fault): return .failure(ScenarioErrors([fault]))
    case .success(let text):
      let log = DiagnosticLog()
      let source = SourceText(name: file, text: text)
      guard var root = DocumentReader.read(text, source: source, log: log) else {
        return .failure(ScenarioErrors(log.sorted()))
      }
      // A root that is no mapping is reported by the check.
      if case .mapping = root.content {
        let application = OverrideApplication(log: log)
        for override in overrides { application.apply(override, to: &root) }
      }
      let checker = ScenarioChecker(log: log, workloads: workloads)
      guard var scenario = checker.check(root, file: file, only: strategies), log.isEmpty else {
        return .failure(ScenarioErrors(log.sorted()))
      }
      scenario.overrides = overrides.map(\.typed)
      // Of several, what is left of the choice says itself which it is.
      if !strategies.isEmpty, scenario.strategies.count == 1 {
        scenario.overrides.append("--strategy \(scenario.strategies[0].name)")
      }
      return .success(scenario)
    }
  }
}

/// Reads a regular file with a bound on its size.
enum FileBytes {
  static func read(_ path: String, atMost limit: Int) -> Result<[UInt8], ScenarioDiagnostic> {
    func fault(_ message: String, _ allowed: String? = nil) -> Result<[UInt8], ScenarioDiagnostic> {
      .failure(ScenarioDiagnostic(file: path, message: message, allowed: allowed))
    }
    guard !path.utf8.contains(0) else { return fault("a file's name cannot hold a zero byte") }
    // Without O_NONBLOCK a pipe that nobody writes to would never open.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      return fault(
        errno == ENOENT ? "there is no such file" : "cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      return fault("cannot be looked at: \(String(cString: strerror(errno)))")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: return fault("this is a directory", "a scenario file")
    default: return fault("this is no regular file", "a scenario file")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = Glibc.read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return fault("cannot be read: \(String(cString: strerror(errno)))") }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return .success(bytes)
  }
}
