import Testing
import WorkloadInterface

@testable import Scenarios

@Suite("Sweeps of load")
struct SweepTests {
  private func read(_ users: String, _ more: String = "") throws -> Scenario {
    try Story.reader.read(
      text: "name: a\npipeline: story\nload: { model: closed, users: \(users), for: 1s }\n\(more)",
      file: "a.yaml"
    ).get()
  }

  @Test("A list of users gives a cell for each, with its own load, and resolves to itself")
  func cells() throws {
    let scenario = try read("[1, 4, 16]", "repetitions: 2\n")
    let cells = scenario.cells()
    #expect(cells.map(\.users) == [1, 4, 16, 1, 4, 16])
    #expect(cells.map(\.repetition) == [1, 1, 1, 2, 2, 2])
    for cell in cells {
      guard case .closed(let load) = cell.scenario.load.model else {
        Issue.record("the load is closed")
        return
      }
      #expect(load.users == cell.users && load.sweep.isEmpty)
      #expect(cell.scenario.cells().count == 2)
    }
    let again = try Story.reader.read(text: scenario.resolvedText, file: "a.yaml").get()
    #expect(again.load == scenario.load)
    #expect(again.resolvedText == scenario.resolvedText)
  }

  @Test("One number, also as a list of one, is no sweep", arguments: ["4", "[4]"])
  func single(users: String) throws {
    let scenario = try read(users)
    #expect(scenario.cells().map(\.users) == [nil])
    #expect(scenario.resolvedText.contains("  users: 4\n"))
  }

  @Test(
    "Users that do not rise, none, and other values are faults",
    arguments: [
      ("[4, 1]", "must rise"), ("[4, 4]", "must rise"), ("[]", "is empty"), ("[1, 0]", "cannot be 0"),
      ("[1, x]", "whole number"), ("[[1]]", "whole number"),
    ])
  func faults(users: String, message: String) {
    #expect {
      _ = try read(users)
    } throws: { error in
      "\(error)".contains(message)
    }
  }
}
