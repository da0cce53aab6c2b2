import FlawedFeeds
import LiveFeeds
import Testing

@Suite("Lines from chunks")
struct LinesTests {
  @Test("The same lines however the bytes are cut, whatever ends them", arguments: ["\n", "\r\n", "\r"])
  func lines(end: String) async throws {
    let expected = ["plain", "", "Straße", "日本", "👩‍🚀", "last"]
    let text = expected.joined(separator: end)
    for size in 1...text.utf8.count {
      #expect(try await Lines(HandChunks(text, size: size)).all() == expected)
      #expect(try await Lines(HandChunks(text + end, size: size)).all() == expected)
    }
    #expect(try await Lines(HandChunks("", size: 1)).all().isEmpty)
  }

  @Test("Bytes that are no text become a sign of it, and the next line is whole")
  func broken() {
    var splitter = LineSplitter()
    #expect(splitter.append([0xC3, 0x0A, 0x61, 0x0A]) == ["\u{FFFD}", "a"])
  }

  @Test("Events come whole however the bytes are cut")
  func events() async throws {
    let text =
      ": hello\r\nevent: tick\r\nid: 7\r\ndata: a\r\ndata:b\r\n\r\ndata\r\n\r\nretry: 9\r\n\r\ndata: cut off"
    let expected = [
      ServerSentEvent(type: "tick", data: "a\nb", id: "7"), ServerSentEvent(data: "", id: "7"),
    ]
    for size in 1...text.utf8.count {
      #expect(try await ServerSentEvents(Lines(HandChunks(text, size: size))).all() == expected)
    }
  }

  @Test("Each flawed twin is wrong in its own way")
  func flawed() async throws {
    func lines(_ flaw: PageFlaw, _ text: String, size: Int) async throws -> [String] {
      var lines: [String] = []
      for try await line in flaw.lineComponents.lines(HandChunks(text, size: size)) { lines.append(line) }
      return lines
    }
    #expect(try await lines(.lineCutAtChunk, "abcd\n", size: 2) == ["ab", "cd", ""])
    #expect(try await lines(.lastLineLost, "a\nb", size: 2) == ["a"])
    #expect(try await lines(.carriageReturnKept, "a\r\n", size: 2) == ["a\r"])
    #expect(try await lines(.characterCutAtChunk, "ä\n", size: 1) == ["\u{FFFD}\u{FFFD}"])
    var events: [String] = []
    for try await event in PageFlaw.eventCutAtChunk.lineComponents.events(
      HandChunks("data: abcd\n\n", size: 8))
    {
      events.append(event.data)
    }
    #expect(events == ["ab"])
  }
}
