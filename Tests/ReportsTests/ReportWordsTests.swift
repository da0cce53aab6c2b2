import Measurement
import Reports
import RunRecords
import Testing

@Suite("Every word that is printed can be explained")
struct ReportWordsTests {
  /// Two clocks, findings, an expectation, gates of every kind: everything that has a head or a label.
  private static let run: RunRecord = {
    var run = Fixture.usual()
    run.cells.append(Fixture.cell("per-element", clock: "real"))
    run.cells[0].metrics["iterations.running"] = .integer(1)
    run.cells[0].metrics["arrivals.queued"] = .integer(1)
    run.cells[0].metrics["iterations.cancelled"] = .integer(1)
    run.scenario.gatesLeftOut = ["flush.count > 0 for locked"]
    run.environment.cost = run.cells.map { _ in run.environment.cost[0] }
    run.expectations = [
      ExpectationRecord(
        finding: "orphaned-task", count: 3, seen: 3, strategy: "batched-5", variant: "sound",
        clock: "virtual", repetition: 1, verdict: .passed)
    ]
    run.reasons.append("another reason")
    return run
  }()

  /// What stands in for names is not a word of the report.
  private static let names: Set<String> = ["per-element", "batched-5", ""]

  private func isExplained(_ word: String) -> Bool {
    ReportWords.about(word) != nil || Verdict(rawValue: word) != nil || Percentile(word) != nil
      || Self.names.contains(word)
  }

  @Test("The heads of the page's tables, its facts and its headings")
  func page() throws {
    for run in [Self.run, Fixture.usual()] {
      let page = try HTMLReader(HTMLReport.text(run, charts: nil))
      let heads = page.words(of: "th", with: "scope=\"col\"")
      #expect(heads.count > 20)
      for head in heads { #expect(isExplained(head), "head `\(head)`") }
      let facts = page.words(of: "dt")
      #expect(facts.count > 15)
      for fact in facts { #expect(isExplained(fact), "fact `\(fact)`") }
      for heading in page.words(of: "h2") {
        let word = String(heading.prefix { $0 != "," })
        #expect(isExplained(word), "heading `\(heading)`")
      }
    }
  }

  @Test("The headings, labels and marks of the terminal")
  func terminal() {
    let run = Self.run
    let lines = TerminalSummary.text(run).split(separator: "\n").map(String.init)
    // The first three lines are verdict, setting and the scenario's own sentence.
    let headings = lines.dropFirst(3).filter { $0.first != " " && !$0.hasPrefix("verdict: ") }
    #expect(headings.count >= 5)
    for heading in headings {
      let word = String(heading.prefix { $0 != ":" && $0 != "(" }).trimmed
      #expect(isExplained(word) || word.hasPrefix("Figures of "), "heading `\(heading)`")
    }
    for label in labels(lines) { #expect(isExplained(label), "label `\(label)`") }
    for setting in lines[1].components(" · ") {
      let parts = setting.split(separator: " ").map(String.init)
      let candidates = [setting, parts.first ?? "", parts.last ?? "", parts.suffix(2).joined(separator: " ")]
      #expect(candidates.contains(where: isExplained) || setting == run.scenario.name, "setting `\(setting)`")
    }
    for mark in ["pass", "FAIL", "inconclusive", "not judged", "inside", "outside", "×", "*", "–"] {
      #expect(isExplained(mark), "mark `\(mark)`")
    }
  }

  /// The names before figures in the part on validity, and what stands before a colon elsewhere.
  private func labels(_ lines: [String]) -> [String] {
    let start = lines.firstIndex(of: "Validity")! + 1
    let part = lines[start...].prefix { $0.first == " " }
    let pairs = part.compactMap { line -> String? in
      guard line.hasPrefix("  "), line.dropFirst(2).first != " ",
        let gap = line.dropFirst(2).firstRange(of: "  ")
      else { return nil }
      return String(line.dropFirst(2)[..<gap.lowerBound])
    }
    #expect(pairs.count > 5)
    let counts = part.filter { $0.hasPrefix("  iterations: ") || $0.contains(" · ") }
      .flatMap { $0.components(" · ") }.map { $0.replacing("iterations: ", with: "").trimmed }
      .map { String($0.prefix { !$0.isNumber }).trimmed }
    #expect(counts.count > 4)
    let leads = ["same for all", "within 2 %", "advice", "iterations"]
    return pairs + counts + leads
  }

  @Test("No word has two entries, and each is a sentence")
  func entries() {
    let names = ReportWords.all.map { $0.name.lowercased() }
    #expect(Set(names).count == names.count)
    for entry in ReportWords.all { #expect(entry.about.hasSuffix("."), "\(entry.name)") }
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " || $0 == "·" }.reversed())
  }

  fileprivate func components(_ separator: String) -> [String] {
    split(separator: separator).map(String.init)
  }
}
