import Testing
import WorkloadInterface

@testable import RunRecords

@Suite("Reading gates")
struct GateExpressionTests {
  let catalogue = MetricCatalogue(workload: [
    MetricDeclaration("overlap", .gauge, .ratio, .higher, about: "Overlap.")
  ])

  private func fault(_ text: String) -> GateSyntaxError? {
    do {
      _ = try GateExpression.parse(text, catalogue: catalogue)
      return nil
    } catch { return error }
  }

  @Test("a ratio for one strategy is read, blanks squeezed")
  func ratio() throws {
    let gate = try GateExpression.parse(
      "  flush.count /  elements.stored <= 0.25   for batched-5 ", catalogue: catalogue)
    #expect(gate.text == "flush.count / elements.stored <= 0.25 for batched-5")
    #expect(gate.metric.name.base == "flush.count")
    #expect(gate.divisor?.name.base == "elements.stored")
    #expect(gate.comparison == .lessOrEqual)
    #expect(gate.limit == .real(0.25))
    #expect(gate.strategy == "batched-5")
  }

  @Test(
    "a value carries its metric's unit; blanks may stand or not",
    arguments: [
      ("latency.iteration.p99 < 8s", MetricValue.integer(8_000_000_000)),
      ("latency.iteration.p99<8s", .integer(8_000_000_000)),
      ("latency.iteration.p99 < 100 ms", .integer(100_000_000)),
      ("latency.stage{stage=names}.p99.9 <= 1.5s", .integer(1_500_000_000)),
      ("latency.iteration.count >= 100", .integer(100)),
      ("heap.peak < 1.5KiB", .integer(1_536)),
      ("goodput > 40/s", .real(40)),
      ("goodput > 2/min", .real(2.0 / 60)),
      ("overlap >= 5%", .real(0.05)),
      ("overlap >= 0.05", .real(0.05)),
      ("attempts < 150%", .real(1.5)),
      ("tasks.orphaned == 0", .integer(0)),
      ("hops{role=registry}/elements.stored==0.2", .real(0.2)),
      ("latency.iteration.p99 / latency.iteration.p50 < 10", .integer(10)),
    ])
  func units(_ text: String, _ limit: MetricValue) throws {
    #expect(try GateExpression.parse(text, catalogue: catalogue).limit == limit)
  }

  @Test(
    "each slip is refused with its place and the nearest name",
    arguments: [
      ("latency.iteration.p95 = 100ms", 22, "`=` is no comparison", "=="),
      ("latency.iteration.p95 =< 100ms", 22, "`=<` is no comparison", nil),
      ("latency.iteration.p95", 21, "a comparison is missing", nil),
      ("latency.iteration.p95 < ", 24, "a value is missing", nil),
      ("latency.iteration.p9.5.1 < 5ms", 0, "no statistic `p9.5.1`", nil),
      ("latency.iteration.avgg < 3ms", 0, "no statistic `avgg`", nil),
      ("latency.iteration.mena < 3ms", 0, "no statistic `mena`", "mean"),
      ("latency.iteration.p101 < 5ms", 0, "no statistic `p101`", nil),
      ("latency.iteration.pp99 < 5ms", 0, "no statistic `pp99`", nil),
      ("latency.iteration.99 < 5ms", 0, "no statistic `99`", nil),
      ("latency.iteration < 5ms", 0, "is a distribution", "latency.iteration.p99"),
      ("latency.iteratoin.p99 < 5ms", 0, "there is no metric", "latency.iteration.p99"),
      ("latency.iteration.p95 < 100", 24, "`100` is no duration", nil),
      ("latency.iteration.p95 < 100/s", 24, "`100/s` is no duration", nil),
      ("latency.iteration.p95 < -1ms", 24, "not a plain decimal", nil),
      ("tasks.orphaned == 0ms", 18, "no plain number", nil),
      ("tasks.orphaned == nan", 18, "no plain number", nil),
      ("tasks.orphaned == 0x10", 18, "no plain number", nil),
      ("tasks.orphaned == 1e999", 18, "no plain number", nil),
      ("tasks.orphaned.p99 == 1", 0, "there is no metric", nil),
      ("task.orphaned == 1", 0, "there is no metric", "tasks.orphaned"),
      ("hops{actr=A} == 1", 0, "not `actr`", nil),
      ("hops{actor} == 1", 0, "write a label as {key=value}", nil),
      ("hops{actor=} == 1", 0, "write a label as {key=value}", nil),
      ("hops{actor=A == 1", 0, "not closed", nil),
      ("tasks.orphaned{a=b} == 1", 0, "has no labels", nil),
      ("flush.count / == 1", 14, "a metric is missing", nil),
      ("flush.count / elements.stord == 1", 14, "there is no metric", "elements.stored"),
      ("tasks.orphaned == 0 for", 20, "comes one strategy's name", nil),
      ("tasks.orphaned == 0 for a b", 20, "comes one strategy's name", nil),
      ("tasks.orphaned == 0 on a", 20, "only `for STRATEGY` may follow", nil),
      ("", 0, "a metric is missing", nil),
      ("< 3", 0, "a metric is missing", nil),
    ] as [(String, Int, String, String?)])
  func slips(_ text: String, _ offset: Int, _ message: String, _ nearest: String?) throws {
    let error = try #require(fault(text))
    #expect(error.message.contains(message), "\(error.message)")
    #expect(error.offset == offset, "\(error.message)")
    if let nearest { #expect(error.nearest == nearest) }
  }

  @Test("a figure that is no number satisfies no gate, not even `!=`")
  func notANumber() throws {
    for comparison in GateExpression.Comparison.allCases {
      let gate = try GateExpression.parse("attempts \(comparison.rawValue) 1", catalogue: catalogue)
      #expect(!gate.holds(.nan))
      #expect(!gate.holds(.infinity))
    }
    #expect(try GateExpression.parse("tasks.orphaned < 10", catalogue: catalogue).holds(0))
    #expect(try !GateExpression.parse("attempts != 1", catalogue: catalogue).holds(1))
  }

  @Test("each metric of the catalogue can be named in a gate, whatever its unit")
  func everyMetric() throws {
    for definition in catalogue.definitions.values {
      let statistic = definition.kind == .distribution ? ".p99" : ""
      let value =
        switch definition.unit {
        case .nanoseconds: "1ms"
        case .bytes: "1KiB"
        case .perSecond: "1/s"
        case .ratio: "1%"
        case .count: "1"
        }
      #expect(fault("\(definition.name)\(statistic) <= \(value)") == nil, "\(definition.name)")
      for label in definition.labels {
        #expect(fault("\(definition.name){\(label)=x}\(statistic) <= \(value)") == nil, "\(definition.name)")
      }
    }
  }
}
