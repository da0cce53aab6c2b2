import RunEngine
import RuntimeProbe
import Testing

@testable import WeirCLI

@Suite("What may be removed from a run directory")
struct DirectoryContentsTests {
  private func foreign(_ names: [String], cells: [String] = [], hasRecord: Bool = true) -> String? {
    DirectoryContents(names: names, cellNames: cells, hasRecord: hasRecord).foreign
  }

  @Test("a former run, whole, killed, or killed before its record")
  func ours() {
    #expect(foreign([], hasRecord: false) == nil)
    #expect(foreign(["cells", "run.json", "report.html", "run.json.4711.partial", "iterations.csv"]) == nil)
    let cells = [
      "001.plan.json", "001.probe", "001.result.json.12.partial", "1234.log", "002.iterations.csv",
      ".dat.nosync751F.MFu2CU",
    ]
    #expect(foreign(["cells"], cells: cells, hasRecord: false) == nil)
  }

  @Test(
    "somebody else's files stay",
    arguments: ["notes.txt", "download.iso.partial", "run.json.partial", "run.json.x1.partial", "Cells"])
  func others(name: String) { #expect(foreign(["run.json", name].sorted()) == name) }

  @Test(
    "somebody else's files in a directory named cells stay", arguments: ["data.csv", "a.log", "1.logs", "7"])
  func othersCells(name: String) { #expect(foreign(["cells"], cells: [name]) == "cells/\(name)") }

  @Test("a report without the record that it is rendered from is somebody else's")
  func reportAlone() { #expect(foreign(["report.html"], hasRecord: false) == "report.html") }

  /// The names of all files that a value names, whatever is added to it.
  private func names(_ files: Any) -> [String] {
    Mirror(reflecting: files).children.compactMap { child in
      (child.value as? String)?.split(separator: "/").last.map(String.init)
    }
  }

  @Test("every file of a cell and of a recorded program is known, unfinished ones too")
  func allFiles() {
    let cell = names(CellFiles(directory: "out/cells", number: 7))
    let recorded = names(Recording.Files(prefix: "out/cells/001", number: 2))
    #expect(cell.count == CellFiles.endings.count)
    #expect(recorded.count == Recording.Files.endings.count)
    for name in cell + recorded + ["001.\(Recording.traceRequest)"] {
      #expect(foreign(["cells"], cells: [name]) == nil)
      #expect(foreign(["cells"], cells: ["\(name).4711.partial"]) == nil)
    }
    for name in ["001.2.notes", "001.x.trace", "trace", "001.trace.gz"] {
      #expect(foreign(["cells"], cells: [name]) == "cells/\(name)")
    }
  }
}
