internal import Foundation
internal import Glibc
internal import Measurement
internal import Reports
internal import RunEngine
internal import RunRecords
internal import Scenarios
internal import WorkloadInterface

/// A run directory: `run.json`, what is rendered from it, and `cells/` while the run goes on.
struct RunDirectory {
  /// Its path as people gave it, or as it was made up.
  let path: String

  /// Where the cells' files are until they are folded in.
  var cells: String { path + "/cells" }
  /// The record.
  var record: String { path + "/run.json" }

  /// What is written here and may be replaced by a later run.
  static let products = [
    "run.json", "metrics.csv", "report.html", "junit.xml", "summary.md", "verdict.txt", "iterations.csv",
  ]

  /// Makes the directory ready for a new run and takes its lock.
  ///
  /// - Returns: The lock, to be kept until the run ends.
  /// - Throws: `UsageError` when something else is there, or another run is going on; `WorkFailure` when the
  ///   directory cannot be made.
  func prepare() throws -> DirectoryLock {
    if let kind = FileSystem.kind(path) {
      guard kind == .directory else { throw UsageError("\(path) is no directory", command: "run") }
      if let first = DirectoryContents(of: self).foreign {
        throw UsageError(
          "\(path) holds \(first), which is no part of a run: choose another --out", command: "run")
      }
    }
    try FileSystem.makeDirectory(cells)
    guard let lock = DirectoryLock(cells) else {
      throw UsageError("another run is writing to \(path): choose another --out", command: "run")
    }
    for name in FileSystem.names(in: cells) { unlink("\(cells)/\(name)") }
    // The record goes last: as long as it is there, the directory is known to be a run's.
    let names = FileSystem.names(in: path).filter { $0 != "cells" && $0 != "run.json" }
    for name in names + ["run.json"] { unlink("\(path)/\(name)") }
    return lock
  }

  /// Writes `run.json` alone.
  func write(_ run: RunRecord) throws(WorkFailure) {
    try FileSystem.write(try Self.json(run), to: record)
    FileSystem.synchronise(directory: path)
  }

  /// Writes everything that is rendered from the record.
  func render(_ run: RunRecord, glossary: Glossary) throws(WorkFailure) {
    for product in products(of: run, glossary: glossary) {
      try FileSystem.write(product.text(), to: product.path)
    }
    FileSystem.synchronise(directory: path)
  }

  /// What is rendered from the record, the smallest first: where its path is, and what makes its text.
  func products(of run: RunRecord, glossary: Glossary) -> [(path: String, text: () -> String)] {
    [
      (path + "/verdict.txt", { VerdictText.text(run) }),
      (path + "/metrics.csv", { MetricsCSV.text(run, glossary: glossary) }),
      (path + "/junit.xml", { JUnit.text(run, glossary: glossary) }),
      (path + "/summary.md", { SummaryMarkdown.text(run, glossary: glossary) }),
      (path + "/report.html", { HTMLReport.text(run, charts: .installed(), glossary: glossary) }),
    ]
  }

  /// A record as the bytes of `run.json`.
  static func json(_ run: RunRecord) throws(WorkFailure) -> String {
    do {
      return String(decoding: try RunJSON.encode(run), as: UTF8.self)
    } catch {
      throw WorkFailure(error.message)
    }
  }

  /// Reads `run.json`, of a directory or given itself.
  ///
  /// - Throws: `UsageError` when there is none or it cannot be used.
  static func read(_ path: String) throws(UsageError) -> RunRecord {
    do {
      return try RunJSON.decode(Data(try FileSystem.bytes(path)), path: path)
    } catch let failure as RunJSON.Failure {
      throw UsageError(failure.message, command: "report")
    } catch let failure as WorkFailure {
      throw UsageError(failure.message, command: "report")
    } catch {
      throw UsageError("\(path): \(error)", command: "report")
    }
  }

  // MARK: Cells

  /// The numbers of the cells whose plan is still here.
  var plannedNumbers: [Int] {
    FileSystem.names(in: cells).compactMap { name in
      name.hasSuffix(".plan.json") ? Int(name.dropLast(".plan.json".count)) : nil
    }.sorted()
  }

  /// Puts the iterations of all cells into one table.
  func foldIterations(_ plans: [CellPlan]) throws(WorkFailure) {
    var table = ""
    for plan in plans {
      guard let text = try? FileSystem.read(files(plan.number).iterations) else { continue }
      let rows = text.split(separator: "\n")
      guard let header = rows.first else { continue }
      let sweep = plan.users == nil ? "" : "users,"
      if table.isEmpty { table = "strategy,variant,clock,repetition,\(sweep)\(header)\n" }
      let cell =
        [plan.strategy.name, plan.variant].map(Self.field)
        + [plan.clock.rawValue, "\(plan.repetition)"] + (plan.users.map { ["\($0)"] } ?? [])
      let prefix = cell.joined(separator: ",") + ","
      for row in rows.dropFirst() { table += prefix + row + "\n" }
    }
    if !table.isEmpty { try FileSystem.write(table, to: path + "/iterations.csv") }
  }

  /// Removes the cells' files, now that all of them are folded in. Logs of cells that did not end by
  /// themselves stay, where anything is in them: they hold the whole stack.
  func removeCells(keepingLogsOf kept: Set<Int>) {
    let logs = Set(kept.map { files($0).log }.filter { !FileSystem.head($0, 1).isEmpty })
    for name in FileSystem.names(in: cells) where !logs.contains("\(cells)/\(name)") {
      unlink("\(cells)/\(name)")
    }
    rmdir(cells)
  }

  /// The files of one cell.
  func files(_ number: Int) -> CellFiles { CellFiles(directory: cells, number: number) }

  private static func field(_ text: String) -> String {
    guard text.contains(where: { ",\"\r\n".contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}

/// A lock on a directory, held as long as the value lives and, in any case, no longer than the process.
final class DirectoryLock {
  private let descriptor: Int32

  /// Takes the lock; nil when another process has it.
  init?(_ path: String) {
    let file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      return nil
    }
    descriptor = file
  }

  deinit { close(descriptor) }
}
