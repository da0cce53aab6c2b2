import Testing
import TokenStreaming

@Suite("Joining tokens")
struct GraphemeJoinerTests {
  private static let text = "Grüße, 日本語 e\u{301} 👩‍👩‍👧‍👦🇩🇪🇫🇷 1️⃣ 👍🏽 end."

  private func joined(_ pieces: [ArraySlice<UInt8>]) -> (steps: [String], text: String) {
    var joiner = GraphemeJoiner()
    var steps = pieces.map { joiner.append(Array($0)) }
    steps.append(joiner.finish())
    return (steps, steps.joined())
  }

  @Test(
    "text cut anywhere, once or twice, comes out whole, and never shows a broken sequence or a dangling joiner"
  )
  func everyCut() {
    let bytes = Array(Self.text.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let (steps, text) = joined([bytes[..<first], bytes[first..<second], bytes[second...]])
        #expect(text == Self.text)
        for step in steps {
          #expect(!step.unicodeScalars.contains("\u{FFFD}"))
          #expect(step.unicodeScalars.last != "\u{200D}")
        }
      }
    }
  }

  @Test("text cut into pieces of one to nine bytes comes out whole", arguments: 1...9)
  func pieces(size: Int) {
    let bytes = Array(Self.text.utf8)
    let cuts = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
    #expect(joined(cuts).text == Self.text)
  }

  @Test("bytes that are no UTF-8 are replaced, and nothing breaks", arguments: 1...4)
  func invalid(size: Int) {
    let bytes: [UInt8] = [0x61, 0xFF, 0xC0, 0x80, 0xE2, 0x80, 0x8D, 0xE2, 0x80, 0x8D, 0xF0, 0x9F, 0x62, 0xE6]
    let cuts = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
    let text = joined(cuts).text
    #expect(text.first == "a" && text.contains("b") && text.contains("\u{FFFD}"))
  }

  @Test("a flag waits for its second half, and plain text waits for nothing")
  func flags() {
    var joiner = GraphemeJoiner()
    let flag = Array("🇩🇪".utf8)
    #expect(joiner.append(Array(flag[..<4])) == "")
    #expect(joiner.heldCount == 4)
    #expect(joiner.append(Array(flag[4...])) == "🇩🇪")
    #expect(joiner.append(Array("plain".utf8)) == "plain")
    #expect(joiner.heldCount == 0)
  }

  @Test("what was only begun at the end is left out, what stands by itself is not")
  func unfinished() {
    var joiner = GraphemeJoiner()
    #expect(joiner.append([0x61, 0xE6, 0x97]) == "a")
    #expect(joiner.finish() == "")
    #expect(joiner.append(Array("🇩🇪".utf8.prefix(4))) == "")
    #expect(joiner.finish() == "🇩")
  }
}
