internal import Glibc

/// Finds the scenario files that a command line means.
package enum ScenarioFiles {
  /// The files among `paths`, and `*.yaml` and `*.yml` below the directories among them, sorted by name;
  /// each file once. Hidden files and directories below a given one are skipped, a directory that was
  /// visited already (a loop of links) is not entered again.
  ///
  /// Paths that are missing and directories without scenarios are faults.
  package static func find(_ paths: [String]) -> Result<[String], ScenarioErrors> {
    var search = Search()
    for path in paths {
      var status = stat()
      guard !path.isEmpty, stat(path, &status) == 0 else {
        let reason =
          errno == ENOENT || path.isEmpty ? "there is no such file" : String(cString: strerror(errno))
        search.faults.append(ScenarioDiagnostic(file: path, message: reason))
        continue
      }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        search.add(path, status)
        continue
      }
      let before = search.met
      search.visited = []
      search.enter(path, status, depth: 0)
      if search.met == before {
        search.faults.append(
          ScenarioDiagnostic(
            file: path, message: "there is no scenario in this directory",
            allowed: "files named *.yaml or *.yml"))
      }
    }
    return search.faults.isEmpty ? .success(search.files) : .failure(ScenarioErrors(search.faults))
  }

  private struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
    init(_ status: stat) {
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
    }
  }

  private struct Search {
    var files: [String] = []
    var faults: [ScenarioDiagnostic] = []
    var visited: Set<Identity> = []
    /// Files met, also those that were known already.
    var met = 0
    private var known: Set<Identity> = []

    mutating func add(_ path: String, _ status: stat) {
      met += 1
      if known.insert(Identity(status)).inserted { files.append(path) }
    }

    mutating func enter(_ directory: String, _ status: stat, depth: Int) {
      guard depth < 64, visited.insert(Identity(status)).inserted else { return }
      guard let names = names(in: directory) else { return }
      for name in names {
        let path = directory.hasSuffix("/") ? directory + name : directory + "/" + name
        var status = stat()
        guard stat(path, &status) == 0 else {
          if isScenario(name) {
            faults.append(
              ScenarioDiagnostic(file: path, message: "there is no such file: the link leads nowhere"))
          }
          continue
        }
        if status.st_mode & S_IFMT == S_IFDIR {
          enter(path, status, depth: depth + 1)
        } else if isScenario(name) {
          add(path, status)
        }
      }
    }

    private func isScenario(_ name: String) -> Bool { name.hasSuffix(".yaml") || name.hasSuffix(".yml") }

    private mutating func names(in directory: String) -> [String]? {
      guard let stream = opendir(directory) else {
        let reason = String(cString: strerror(errno))
        met += 1
        faults.append(ScenarioDiagnostic(file: directory, message: "cannot be listed: \(reason)"))
        return nil
      }
      defer { closedir(stream) }
      var names: [String] = []
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { start in
          start.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if !name.hasPrefix(".") { names.append(name) }
      }
      return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
  }
}
