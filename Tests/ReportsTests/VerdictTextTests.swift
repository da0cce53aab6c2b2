import Reports
import RunRecords
import Testing

@Test("verdict.txt holds the word alone", arguments: Verdict.allCases)
func verdictText(verdict: Verdict) {
  #expect(VerdictText.text(Fixture.run([], verdict: verdict)) == verdict.rawValue + "\n")
}
