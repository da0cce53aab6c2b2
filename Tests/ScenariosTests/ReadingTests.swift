import SeededDraws
import Testing
import WorkloadInterface

@testable import Scenarios

@Suite("Reading a scenario")
struct ReadingTests {
  @Test("the design's example is read as it stands")
  func designExample() throws {
    let scenario = try Story.reader.read(text: Story.rapid, file: "rapid.yaml").get()
    #expect(scenario.name == "rapid-regeneration")
    #expect(scenario.seed == 7)
    #expect(scenario.variants == ["sound"])
    #expect(scenario.clocks == [.virtual])
    #expect(scenario.strategies.map(\.name) == ["per-element", "batched-5", "batched-5-50ms"])
    #expect(scenario.strategies[2].parameters.duration("every") == 50_000_000)
    guard case .open(let load) = scenario.load.model else {
      Issue.record("the load is open")
      return
    }
    #expect(load.arrivals == .poisson)
    #expect(load.maxInFlight == 2000)
    #expect(load.stages.map(\.duration) == [10_000_000_000, 20_000_000_000])
    #expect(load.stages[1].to == Rate(millionths: 80_000_000))
    #expect(scenario.load.warmUp == 5_000_000_000)
    #expect(scenario.load.drain == 60_000_000_000)
    let select = scenario.behaviour.record("select-names")
    #expect(select?.integer("count") == 2)
    #expect(
      select?.distribution("after")?.shape == .lognormal(median: 1_000_000_000, p99: 6_000_000_000))
    #expect(scenario.behaviour.record("cancel")?.share("share") == 0.1)
    let names = try #require(scenario.providers["names"])
    #expect(names.cpu?.shape == .constant(200_000))
    #expect(names.failures[0] == FailureScript(kind: .timeout, selector: .share(0.01), after: 2_000_000_000))
    #expect(names.failures[1] == FailureScript(kind: .malformed, selector: .calls([3, 5])))
    let prose = try #require(scenario.providers["prose"])
    #expect(prose.latency.shape == .constant(300_000_000))
    #expect(prose.betweenTokens?.shape == .exponential(mean: 18_000_000))
    #expect(prose.tokens == 40)
    #expect(scenario.sink == SinkDescription(update: 50_000, perElement: 2_000))
    #expect(scenario.gates.count == 3)
    #expect(scenario.gates[2] == "flush.count / elements.stored <= 0.25 for batched-5")
    #expect(scenario.cells().count == 3)
  }

  @Test("a stream may break after its last token, and no later")
  func lastToken() throws {
    let text =
      Story.least + "providers: { prose: { tokens: 7, failures: "
      + "[{ kind: mid-stream, calls: [1], after-tokens: 7 }] } }\n"
    let scenario = try Story.reader.read(text: text, file: "a.yaml").get()
    #expect(scenario.providers["prose"]?.failures.first?.afterTokens == 7)
    #expect(!Story.faults(text.replacing("after-tokens: 7", with: "after-tokens: 8")).isEmpty)
  }

  @Test("what is left out takes its default")
  func defaults() throws {
    let scenario = try Story.reader.read(text: Story.least, file: "least.yaml").get()
    #expect(scenario.about == "")
    #expect(scenario.variants == ["sound"])
    #expect(scenario.clocks == [.virtual])
    #expect(scenario.seed == 1)
    #expect(scenario.schedule == .fifo)
    #expect(scenario.strategies.map(\.name) == ["per-element"])
    #expect(scenario.repetitions == 1)
    #expect(scenario.objective == nil)
    #expect(scenario.grace == 1_000_000_000)
    #expect(scenario.watchdog == 30_000_000_000)
    #expect(!scenario.keepsIterations)
    #expect(scenario.behaviour.choice("on-failure") == "skip")
    #expect(scenario.behaviour.record("select-names")?.integer("count") == 1)
    #expect(scenario.behaviour.record("cancel") == nil)
    #expect(scenario.providers.keys.sorted() == ["names", "prose"])
  }

  @Test("the latency of a stream is that of its first element, unless that is given")
  func firstElement() throws {
    func prose(_ script: String) throws -> ProviderScript? {
      let text = Story.least + "providers: { prose: \(script) }\n"
      return try Story.reader.read(text: text, file: "a.yaml").get().providers["prose"]
    }
    #expect(try prose("{ tokens: 7 }")?.firstToken?.shape == .constant(250_000_000))
    #expect(try prose("{ latency: { stalls: [{ at: 1s, for: 1s }] } }")?.firstToken != nil)
    #expect(try prose("{ latency: { constant: 9s } }")?.firstToken == nil)
    let both = try prose("{ latency: { constant: 9s }, first-token: { constant: 1s } }")
    #expect(both?.firstToken?.shape == .constant(1_000_000_000))
  }

  @Test(
    "the resolved text reads back as the same scenario", arguments: [Story.rapid, Story.least, full, closed])
  func roundTrip(_ text: String) throws {
    let first = try Story.reader.read(text: text, file: "a.yaml").get()
    var second = try Story.reader.read(text: first.resolvedText, file: "b.yaml").get()
    #expect(second.resolvedText == first.resolvedText)
    second.file = first.file
    #expect(String(describing: second.load) == String(describing: first.load))
    #expect(second.behaviour == first.behaviour)
    #expect(second.providers == first.providers)
    #expect(second.strategies == first.strategies)
    #expect(second.gates == first.gates)
    #expect(second.expectations == first.expectations)
    #expect(second.variants == first.variants)
    #expect(second.clocks == first.clocks)
    #expect(second.about == first.about)
    #expect(second.objective == first.objective)
    #expect([second.grace, second.watchdog] == [first.grace, first.watchdog])
    #expect(second.sink == first.sink)
    #expect(second.keepsIterations == first.keepsIterations)
    #expect(second.repetitions == first.repetitions)
  }

  @Test("shares, rates and durations are written so that they read back exactly")
  func figures() throws {
    for share in [0, 1, 0.07, 0.123, 1.0 / 3, 0.000001, 0.29, 0.57, 1.1 / 100, 99.99 / 100] {
      let log = DiagnosticLog()
      let source = SourceText(name: "", text: "")
      let node = DocumentNode(
        content: .scalar(FigureText.share(share), isPlain: true),
        position: SourcePosition(source: source, line: 1, column: 1))
      let read = try #require(ValueReader(log: log).share(node, "share"))
      #expect(abs(read - share) <= share.ulp, "\(FigureText.share(share))")
    }
    #expect(FigureText.share(0.07) == "7%")
    #expect(FigureText.rate(Rate(millionths: 400_000)) == "0.4/s")
    #expect(FigureText.rate(Rate(millionths: 2_000_000, per: 60_000_000_000)) == "2/min")
    #expect(FigureText.duration(1_500_000_000) == "1500ms")
    #expect(FigureText.duration(0) == "0s")
  }

  @Test("CR LF, a byte order mark, several variants and clocks, JSON are read")
  func formats() throws {
    let crlf = Story.least.replacing("\n", with: "\r\n")
    #expect(try Story.reader.read(text: crlf, file: "a").get().name == "least")
    #expect(try Story.reader.read(text: "\u{FEFF}" + Story.least, file: "a").get().name == "least")
    let several = Story.least + "variant: [sound, last-batch-lost]\nclock: [virtual, real]\nrepetitions: 2\n"
    #expect(try Story.reader.read(text: several, file: "a").get().cells().count == 8)
    let json =
      #"{"name": "j", "pipeline": "story", "load": {"model": "open", "stages": [{"for": "1s", "rate": "1/s"}]}}"#
    #expect(try Story.reader.read(text: json, file: "a").get().name == "j")
  }

  @Test("overrides take the file's place before it is checked")
  func overrides() throws {
    let scenario = try Story.reader.read(
      text: Story.rapid, file: "a",
      overrides: [
        .set("load.stages.0.rate=80/s"), .seed("9"), .set("gates=[]"), .set("sink.update=1ms"),
        .set("providers.names.capacity=8"), .set("about=x = y"),
      ], strategies: ["batched-5"]
    ).get()
    guard case .open(let load) = scenario.load.model else { return }
    #expect(load.stages[0].rate == Rate(millionths: 80_000_000))
    #expect(scenario.seed == 9)
    #expect(scenario.gates.isEmpty)
    #expect(scenario.sink == SinkDescription(update: 1_000_000, perElement: 2_000))
    #expect(scenario.providers["names"]?.capacity == 8)
    #expect(scenario.about == "x = y")
    #expect(scenario.strategies.map(\.name) == ["batched-5"])
  }

  @Test("a strategy that is filtered out takes its gates along")
  func filter() throws {
    let scenario = try Story.reader.read(text: Story.rapid, file: "a", strategies: ["per-element"]).get()
    #expect(scenario.gates == ["tasks.orphaned == 0", "latency.iteration.p99 < 8s"])
  }

  static let full =
    Story.least + """
      about: "quotes \\" and \\\\ and é\\t#: x"
      variant: [sound, last-batch-lost]
      clock: [virtual, real]
      seed: 18446744073709551615
      providers:
        names:
          latency: { pareto: { minimum: 10ms, shape: 1.5 }, stalls: [{ at: 10s, for: 1.4s }] }
          capacity: 8
          queue-limit: 0
          ignores-cancellation: true
          values: ["a: b", plain, "x\\ny"]
          failures:
            - { kind: hang, every: 7 }
            - { kind: reset, from: 1s, to: 2s }
            - { kind: rate-limited, share: 0.1% }
        prose:
          latency: { sequence: [1ms, 2ms] }
          tokens: 7
          failures: [{ kind: mid-stream, calls: [1], after-tokens: 3 }]
      behaviour:
        pause: 90s
        reads-aloud: true
        cancel: {}
      strategies:
        - batched: { every: 50ms, size: 5 }
        - batched: { every: 1.5s, name: slow+1 }
      repetitions: 3
      objective: 1.5s
      grace: 0s
      watchdog: 10s
      keep-iterations: true
      gates:
        - "hops{role=registry} / elements.stored == 1"
        - latency.stage{stage=names}.p99.9 < 100 ms for slow+1
        - overlap>=50%
      expect:
        - { finding: last-batch-lost, count: 2 }
        - { finding: orphaned-task }

      """

  static let closed = """
    name: closed
    pipeline: story
    load: { model: closed, users: 10, think: { constant: 1s }, ramp: 2s, for: 1min, iterations: 500, warm-up: 10s, drain: 1h }

    """
}
