import Reports
import RunRecords
import Testing

@Suite("The Markdown summary")
struct SummaryMarkdownTests {
  @Test("Verdict, gates and strategies are there")
  func whole() {
    let text = SummaryMarkdown.text(Fixture.usual())
    #expect(text.hasPrefix("## rapid-regeneration: failed\n"))
    #expect(
      text.contains(
        "| failed | staleness{at=registry}.p99 &lt; 400ms | 475 ms | 18.8 % outside | batched-5 |"))
    #expect(text.contains("| metric | per-element | batched-5 |"))
    #expect(text.contains("| flush.count | 15,360 | 3,072 (×0.20) |"))
    #expect(text.contains("\nSame for all: elements.stored 15,360 · "))
    #expect(!text.contains("| elements.stored |"))
  }

  @Test("Hostile names leave each table row with its columns (B54)")
  func hostile() {
    let cells = Fixture.hostile.enumerated().map { Fixture.cell($1, samples: $0 + 1) }
    let text = SummaryMarkdown.text(Fixture.run(cells))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.hasSuffix(" |") }
    let columns = rows.map { row in
      row.replacing("\\\\", with: "").replacing("\\|", with: "").count { $0 == "|" } - 1
    }
    #expect(Set(columns) == [2, Fixture.hostile.count + 1])
    #expect(text.contains("x\\|y"))
    #expect(!text.contains("<b>") && !text.contains("</script>"))
  }
}
