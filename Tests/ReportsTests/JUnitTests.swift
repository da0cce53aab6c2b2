import Foundation
import FoundationXML
import Reports
import RunRecords
import Testing

@Suite("JUnit XML")
struct JUnitTests {
  final class Reader: NSObject, XMLParserDelegate {
    var elements: [(name: String, attributes: [String: String])] = []

    func parser(
      _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) { elements.append((elementName, attributes)) }

    static func read(_ text: String) throws -> Reader {
      let reader = Reader()
      let parser = XMLParser(data: Data(text.utf8))
      parser.delegate = reader
      try #require(parser.parse())
      return reader
    }
  }

  @Test("Gates, cells and expectations are test cases, each verdict in its form")
  func mapping() throws {
    var run = Fixture.usual()
    run.cells[0].verdict = .crashed
    run.cells[0].reasons = ["signal 11"]
    run.expectations = [
      ExpectationRecord(
        finding: "orphaned-task", count: 2, seen: 3, strategy: "batched-5", variant: "sound",
        clock: "virtual",
        repetition: 1, verdict: .failed)
    ]
    run.verdict = .crashed
    // Cells ran at once: the suite took less than they did together.
    run.environment.elapsed = 2_500_000_000
    let reader = try Reader.read(JUnit.text(run))
    let suite = try #require(reader.elements.first { $0.name == "testsuite" }?.attributes)
    #expect(suite["tests"] == "8")
    #expect(suite["failures"] == "2")
    #expect(suite["errors"] == "1")
    #expect(suite["skipped"] == "1")
    #expect(suite["time"].flatMap(Double.init) == 2.5)
    #expect(reader.elements.count { $0.name == "testcase" } == 8)
    #expect(reader.elements.count { $0.name == "failure" } == 2)
    #expect(reader.elements.first { $0.name == "error" }?.attributes["message"] == "signal 11")
  }

  @Test("A run without cells is an error, not an empty pass")
  func empty() throws {
    let run = Fixture.run([], verdict: .invalid, reasons: ["no cell was run"])
    let reader = try Reader.read(JUnit.text(run))
    #expect(
      reader.elements.contains {
        $0.name == "error" && $0.attributes["message"] == "invalid: no cell was run"
      })
  }

  @Test("Hostile names stay well-formed XML")
  func hostile() throws {
    let reader = try Reader.read(
      JUnit.text(Fixture.run(Fixture.hostile.map { Fixture.cell($0, samples: 4) })))
    let names = reader.elements.filter { $0.name == "testcase" }.compactMap { $0.attributes["name"] }
    #expect(names.count == Fixture.hostile.count)
    #expect(Array(names.dropLast()) == Array(Fixture.hostile.dropLast()))
  }
}
