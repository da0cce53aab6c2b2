import RunRecords
import Testing

@testable import Reports

@Suite("Lines of a terminal")
struct TerminalPageTests {
  private func lines(width: Int = 40, _ body: (inout TerminalPage) -> Void) -> [String] {
    var page = TerminalPage(style: TerminalStyle(width: width))
    body(&page)
    return page.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  private let words = "one two three four five six seven eight nine ten eleven"

  @Test("Words are wrapped at the width, to the column; a word that is too long is not broken")
  func wrapped() {
    #expect(
      lines { $0.paragraph(words) } == ["one two three four five six seven eight", "  nine ten eleven"])
    #expect(
      lines { $0.item(words) } == ["  one two three four five six seven", "    eight nine ten eleven"])
    #expect(
      lines { $0.item(String(repeating: "x", count: 38)) } == ["  " + String(repeating: "x", count: 38)])
    let long = String(repeating: "x", count: 60)
    #expect(lines { $0.item("a \(long) b") } == ["  a", "    " + long, "    b"])
  }

  @Test("What stands beside a name or a word stays in its column")
  func columns() {
    #expect(
      lines { $0.pair("a name", "one two three four five") } == [
        "  a name                  one two three", "                          four five",
      ])
    #expect(
      lines { $0.marked(.failed, words, width: 4) } == [
        "  FAIL  one two three four five six", "        seven eight nine ten eleven",
      ])
  }

  @Test("Items of a list are not broken")
  func items() {
    #expect(
      lines { $0.items("lead:", ["one two three four", "five six", "seven eight nine ten", "a\nb"]) } == [
        "  lead: one two three four · five six ·", "    seven eight nine ten · a\\nb",
      ])
    #expect(lines { $0.items("", ["one"]) } == ["  one"])
  }

  @Test("No terminal is taken for narrower than 40 columns")
  func narrowest() {
    for width in [-1, 0, 10, 39, 40] { #expect(TerminalStyle(width: width).width == 40) }
    #expect(TerminalStyle(width: 41).width == 41)
  }

  @Test("A strategy's name takes two fifths of the width at most, and says that it was cut")
  func longNames() {
    let names = ["per-element", String(repeating: "n", count: 80)]
    for width in [40, 60, 100] {
      let run = Fixture.run(names.enumerated().map { Fixture.cell($1, batch: $0 * 4 + 1) })
      let lines = TerminalSummary.text(run, style: TerminalStyle(width: width)).split(separator: "\n")
      let cut = String(repeating: "n", count: width * 2 / 5 - 1) + "…"
      let rows = lines.filter { $0.hasPrefix("  nnn") }
      #expect(!rows.isEmpty && rows.allSatisfy { $0.hasPrefix("  \(cut) ") }, "\(rows)")
      #expect(rows.allSatisfy { $0.count <= width })
    }
  }
}
