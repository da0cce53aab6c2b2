import BuiltInWorkloads
import Foundation
import Testing
import WorkloadInterface

@Suite("Committed scenarios")
struct CommittedScenarioTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Scenarios")

  @Test("Every flaw has a scenario that runs it beside its sound twin and expects the finding that names it")
  func flaws() throws {
    let stories = StoryWorkload().declaration.flaws.map { ($0, $0.name) }
    let tokens = TokensWorkload().declaration.flaws.map { ($0, "tokens-\($0.name)") }
    for (flaw, file) in stories + tokens {
      let text = try String(contentsOf: Self.folder.appending(path: "flaws/\(file).yaml"), encoding: .utf8)
      #expect(text.contains("variant: [sound, \(flaw.name)]"))
      #expect(text.contains("finding: \(flaw.finding)"))
      // What takes long on the real clock has a short scenario beside it.
      let isLong = text.contains("clock: virtual")
      let short = isLong ? Self.folder.appending(path: "flaws/\(file)-short.yaml") : nil
      let clocks = try short.map { try String(contentsOf: $0, encoding: .utf8) } ?? text
      #expect(clocks.contains("clock: [virtual, real]"))
    }
  }

  @Test("So has every flaw of a registry, which shows on the real clock alone")
  func registryFlaws() throws {
    let flaws = RegistryWorkload().declaration.flaws
    #expect(
      Set(flaws.map(\.finding)) == [
        "actor-saturated", "contention-collapse", "hop-ping-pong", "long-hold", "priority-inversion",
        "pool-exhausted",
      ])
    for flaw in flaws {
      let text = try String(
        contentsOf: Self.folder.appending(path: "flaws/\(flaw.name).yaml"), encoding: .utf8)
      #expect(text.contains("variant: [sound, \(flaw.name)]"))
      #expect(text.contains("finding: \(flaw.finding)"))
      #expect(text.contains("clock: real"))
    }
  }

  @Test(
    "So has every flaw of the others, under the name of its pipeline and the flaw, on every clock it exists on"
  )
  func otherFlaws() throws {
    let declarations =
      [FlowWorkload().declaration, FeedWorkload().declaration, PagesWorkload().declaration] + [
        TimeoutWorkload().declaration, HandoverWorkload().declaration,
      ]
    for declaration in declarations {
      #expect(!declaration.flaws.isEmpty)
      for flaw in declaration.flaws {
        let text = try String(
          contentsOf: Self.folder.appending(path: "flaws/\(declaration.name)-\(flaw.name).yaml"),
          encoding: .utf8)
        #expect(text.contains("variant: [sound, \(flaw.name)]"))
        #expect(text.contains("finding: \(flaw.finding)"))
        let clocks = flaw.clocks.map(\.rawValue)
        #expect(
          text.contains("clock: " + (clocks.count == 1 ? clocks[0] : "[\(clocks.joined(separator: ", "))]")))
      }
    }
  }
}
