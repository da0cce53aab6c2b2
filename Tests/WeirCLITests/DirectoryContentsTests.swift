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
}
