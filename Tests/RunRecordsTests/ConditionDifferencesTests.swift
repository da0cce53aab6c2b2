import RunRecords
import Testing

@Suite("What differs between two states of a scenario")
struct ConditionDifferencesTests {
  private let then = """
    seed: 11
    load:
      model: open
      stages:
        - { for: 5s, rate: 20/s }
        - { for: 1s, rate: 5/s }
      drain: 1min
    providers:
      names:
        latency: { exponential: { mean: 20ms } }
        failures: []
      titles:
        latency: { constant: 1ms }
    """

  @Test("Each key that changed, came or went is named as --set takes it, with both values")
  func sentences() {
    let now = then.replacing("mean: 20ms", with: "mean: 100ms").replacing("rate: 5/s", with: "rate: 6/s")
      .replacing("  drain: 1min\n", with: "").replacing("seed: 11", with: "seed: 11\nschedule: fifo")
    #expect(
      ConditionDifferences.sentences(from: then, to: now) == [
        "`schedule` is new: fifo",
        "`load.stages.1` was { for: 1s, rate: 5/s }, now it is { for: 1s, rate: 6/s }",
        "`providers.names.latency` was { exponential: { mean: 20ms } }, now it is "
          + "{ exponential: { mean: 100ms } }",
        "`load.drain` is gone: it was 1min",
      ])
    #expect(ConditionDifferences.sentences(from: then, to: then).isEmpty)
  }
}
