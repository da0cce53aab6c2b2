internal import RunEngine
internal import RuntimeProbe

/// Tells what runs left in a directory from what is somebody else's: a run removes nothing else.
struct DirectoryContents {
  /// Names in the directory.
  let names: [String]
  /// Names in its `cells`.
  let cellNames: [String]
  /// Whether its `run.json` is a run's.
  let hasRecord: Bool

  /// Looks into a run directory.
  init(of directory: RunDirectory) {
    names = FileSystem.names(in: directory.path)
    cellNames = FileSystem.names(in: directory.cells)
    hasRecord = FileSystem.head(directory.record, 200).contains("weir-run/")
  }

  /// From names alone.
  init(names: [String], cellNames: [String], hasRecord: Bool) {
    self.names = names
    self.cellNames = cellNames
    self.hasRecord = hasRecord
  }

  /// The first name that no run made; nil when all may go.
  ///
  /// Files rendered from a record are known by it: somebody's `report.html` alone is none of ours.
  var foreign: String? {
    if let name = names.first(where: { $0 != "cells" && !Self.isProduct($0) }) { return name }
    if let name = cellNames.first(where: { !Self.isCellFile($0) }) { return "cells/\(name)" }
    return hasRecord ? nil : names.first { RunDirectory.products.contains($0) }
  }

  private static func isProduct(_ name: String) -> Bool {
    RunDirectory.products.contains(withoutPartial(name))
  }

  private static func isCellFile(_ name: String) -> Bool {
    // What Foundation writes beside a file before it renames it.
    if name.hasPrefix(".dat.nosync") { return true }
    let parts = withoutPartial(name).split(separator: ".", maxSplits: 1)
    guard parts.count == 2, isNumber(parts[0]) else { return false }
    if CellFiles.endings.contains(String(parts[1])) || parts[1] == Recording.traceRequest { return true }
    // A recorded process numbers the programs that it has been.
    let inner = parts[1].split(separator: ".", maxSplits: 1)
    return inner.count == 2 && isNumber(inner[0]) && Recording.Files.endings.contains(String(inner[1]))
  }

  /// `run.json` of `run.json.4711.partial`, as `FileSystem.write` names what it has not finished.
  private static func withoutPartial(_ name: String) -> String {
    var parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 2, parts.last == "partial", isNumber(parts[parts.count - 2]) else { return name }
    parts.removeLast(2)
    return parts.joined(separator: ".")
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
  }
}
