import Foundation
import Reports
import RunRecords
import Testing

@Suite("run.json")
struct RunJSONTests {
  @Test("A record comes back, and its bytes with it")
  func roundTrip() throws {
    let data = try RunJSON.encode(Fixture.usual())
    let back = try RunJSON.decode(data, path: "run.json")
    #expect(try RunJSON.encode(back) == data)
    #expect(back.cells[1].findings == Fixture.usual().cells[1].findings)
    #expect(back.cells[0].histograms == Fixture.usual().cells[0].histograms)
    #expect(try RunJSON.encode(Fixture.usual()) == data)
  }

  @Test("The format comes first, and numbers share a line")
  func form() throws {
    let text = String(decoding: try RunJSON.encode(Fixture.usual()), as: UTF8.self)
    #expect(text.hasPrefix("{\n  \"format\" : \"weir-run/1\",\n  \"cells\" : ["))
    #expect(text.components(separatedBy: "\"format\"").count == 2)
    #expect(text.hasSuffix("}\n"))
    #expect(text.contains("\"tasks.orphaned\" : 0"))
    #expect(!text.contains("\\/"))
    #expect(text.split(separator: "\n").contains { $0.contains("\"values\" : [") && $0.hasSuffix("]") })
  }

  @Test("Hostile texts come back")
  func hostile() throws {
    let cells = Fixture.hostile.map {
      CellRecord(strategy: $0, variant: "sound", clock: "virtual", repetition: 1, verdict: .passed)
    }
    let back = try RunJSON.decode(try RunJSON.encode(Fixture.run(cells)), path: "run.json")
    #expect(back.cells.map(\.strategy) == Fixture.hostile)
  }

  @Test("A file cut off anywhere says at which byte (B51)")
  func cutOff() throws {
    let whole = try RunJSON.encode(Fixture.run([]))
    for length in 1..<whole.count - 2 {
      #expect(
        message(Data(whole.prefix(length))) == "run.json is unreadable: it is cut off at byte \(length)")
    }
  }

  private func message(_ data: Data) -> String {
    do {
      _ = try RunJSON.decode(data, path: "run.json")
      return "read"
    } catch { return error.message }
  }

  @Test("Other versions, other files and nonsense are refused in words")
  func refused() throws {
    func message(_ text: String) -> String { self.message(Data(text.utf8)) }
    #expect(message("").contains("the file is empty"))
    #expect(message("{}") == "run.json is no run record: it has no `format`")
    #expect(
      message("{\"format\": \"weir-run/9\"}").contains(
        "has the format `weir-run/9`; this weir reads `weir-run/1`"))
    #expect(message("{\"format\": \"weir-run/1\"}") == "run.json is unreadable: `scenario` is missing")
    #expect(message("{\"format\": NaN}").hasPrefix("run.json is unreadable: "))
    #expect(message("hello").hasPrefix("run.json is unreadable: "))
  }
}
