internal import Foundation
internal import Glibc
internal import RunRecords

/// A baseline's file: read and checked as a whole, with a plain sentence for whatever is wrong with it.
enum BaselineFile {
  /// A baseline is far smaller.
  private static let largest = 64 << 20

  /// The baseline of a scenario; nil where there is no such file.
  ///
  /// - Throws: `UsageError` when there is something else in its place, or it cannot be used.
  static func read(_ path: String, of scenario: String) throws(UsageError) -> Baseline? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let number = errno
      if number == ENOENT { return nil }
      throw error(path, "cannot be read: \(SystemError.text(number))", "choose another --baseline")
    }
    // Opening a fifo would wait for a writer.
    guard status.st_mode & S_IFMT == S_IFREG else {
      let isDirectory = status.st_mode & S_IFMT == S_IFDIR
      throw error(
        path, isDirectory ? "is a directory and no file" : "is no regular file", "choose another --baseline")
    }
    guard status.st_size <= largest else { throw error(path, "is too large for one") }
    let bytes: [UInt8]
    do throws(WorkFailure) {
      bytes = try FileSystem.bytes(path)
    } catch {
      throw UsageError("the baseline cannot be used: \(error.message)", command: "run")
    }
    let baseline = try decode(bytes, path)
    guard baseline.scenario == scenario else {
      throw error(path, "is of the scenario `\(baseline.scenario)`, not of `\(scenario)`")
    }
    return baseline
  }

  /// The baseline that bytes hold.
  ///
  /// - Throws: `UsageError` when they hold none, or one of another format, or one with a part missing or mended.
  static func decode(_ bytes: [UInt8], _ path: String) throws(UsageError) -> Baseline {
    guard bytes.contains(where: { $0 > 0x20 }) else { throw error(path, "is empty") }
    let data = Data(bytes)
    guard (try? JSONDecoder().decode(AnyJSON.self, from: data)) != nil else {
      throw error(path, "is not JSON, or only the beginning of it")
    }
    guard let format = (try? JSONDecoder().decode(Head.self, from: data))?.format else {
      throw error(path, "is JSON and no baseline: it has no `format`")
    }
    guard format == Baseline.currentFormat else {
      guard format.hasPrefix("weir-baseline/") else {
        throw error(path, "is no baseline: its format is `\(format)`")
      }
      throw error(path, "has the format `\(format)`; this weir reads `\(Baseline.currentFormat)`")
    }
    do {
      let baseline = try JSONDecoder().decode(Baseline.self, from: data)
      if let fault = fault(of: baseline) { throw DamagedBaseline(fault: fault) }
      return baseline
    } catch let damaged as DamagedBaseline {
      throw error(path, "is damaged: \(damaged.fault)")
    } catch {
      throw self.error(path, "is damaged: \(place(of: error))")
    }
  }

  private static func error(
    _ path: String, _ fault: String, _ remedy: String = "save a new one with --save-baseline"
  ) -> UsageError {
    UsageError("the baseline \(path) \(fault): \(remedy)", command: "run")
  }

  /// Where a baseline that is well formed has not what it needs; nil where it has all.
  private static func fault(of baseline: Baseline) -> String? {
    if baseline.cells.isEmpty { return "it has no cells" }
    var seen: Set<[String]> = []
    for cell in baseline.cells {
      if !seen.insert([cell.strategy, cell.variant, cell.clock, "\(cell.users ?? 0)"]).inserted {
        return "it has \(cell.strategy) twice"
      }
      if cell.figures.isEmpty { return "\(cell.strategy) has no figures" }
      for (name, values) in cell.figures.sorted(by: { $0.key < $1.key }) where values.isEmpty {
        return "\(name) of \(cell.strategy) has no figure"
      }
    }
    return nil
  }

  /// `cells.0.figures.hops.0 is missing or not what it should be`.
  private static func place(of error: any Error) -> String {
    let path: [any CodingKey] =
      switch error {
      case DecodingError.keyNotFound(let key, let context): context.codingPath + [key]
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.dataCorrupted(let context):
        context.codingPath
      default: []
      }
    let names = path.map { key in key.intValue.map(String.init) ?? key.stringValue }
    return names.isEmpty
      ? "a part of it is not what it should be"
      : "`\(names.joined(separator: "."))` is missing or not what it should be"
  }

  private struct DamagedBaseline: Error { var fault: String }

  private struct Head: Decodable { var format: String? }

  /// Any JSON at all.
  private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) throws {}
  }
}

/// The directory that baselines are kept in, tried before anything is run.
enum BaselinePlace {
  /// Sees whether a file could be written there, by writing one; nothing is left.
  ///
  /// - Throws: `UsageError` when it could not.
  static func check(_ directory: String, files: [String]) throws(UsageError) {
    for file in files {
      if let kind = FileSystem.kind(file), kind != .file {
        let what = kind == .directory ? "a directory" : "no regular file"
        throw UsageError(
          "cannot save a baseline: \(file) is \(what): choose another --save-baseline", command: "run")
      }
    }
    let made = missing(directory)
    defer { for path in made { rmdir(path) } }
    do throws(WorkFailure) {
      try FileSystem.makeDirectory(directory)
      let trial = "\(directory)/.weir-\(getpid())"
      // As much as a small one takes: an empty file finds room on a full disk.
      try FileSystem.write(String(repeating: " ", count: 4_096), to: trial)
      FileSystem.remove(trial)
    } catch {
      throw UsageError(
        "cannot save a baseline: \(error.message): choose another --save-baseline", command: "run")
    }
  }

  /// The directories that are still to be made, the innermost first.
  private static func missing(_ directory: String) -> [String] {
    var paths: [String] = []
    var path = directory
    while !path.isEmpty, FileSystem.kind(path) == nil {
      paths.append(path)
      guard let slash = path.lastIndex(of: "/") else { break }
      path = String(path[..<slash])
    }
    return paths
  }
}
