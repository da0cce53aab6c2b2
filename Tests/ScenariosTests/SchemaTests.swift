import Foundation
import Testing
import WorkloadInterface

@testable import Scenarios

@Suite("The editor schema")
struct SchemaTests {
  @Test("it is JSON, the same each time, and names what the reader knows")
  func schema() throws {
    let text = ScenarioSchema.json(workloads: [Story.declaration, Story.empty])
    #expect(text == ScenarioSchema.json(workloads: [Story.declaration, Story.empty]))
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let root = try #require(parsed as? [String: Any])
    #expect(root["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    let properties = try #require(root["properties"] as? [String: Any])
    #expect(Set(properties.keys) == Set(ScenarioChecker.keys))
    let definitions = try #require(root["$defs"] as? [String: Any])
    for reference in text.matches(of: /#\/\$defs\/([a-z]+)/) {
      #expect(definitions[String(reference.1)] != nil)
    }
    let branches = try #require(root["allOf"] as? [[String: Any]])
    let then = try #require((branches[0]["then"] as? [String: Any])?["properties"] as? [String: Any])
    let behaviour = try #require((then["behaviour"] as? [String: Any])?["properties"] as? [String: Any])
    #expect(behaviour.keys.sorted() == Story.declaration.behaviour.map(\.name).sorted())
  }
}
