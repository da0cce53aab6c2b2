import Testing
import WorkloadInterface

@testable import Scenarios

/// One bad text and the fault it must give.
struct BadCase: Sendable, CustomTestStringConvertible {
  let name: String
  let text: String
  let line: Int
  let column: Int
  let message: String
  var nearest: String?
  var testDescription: String { name }

  init(
    _ name: String, _ text: String, _ line: Int, _ column: Int, _ message: String, nearest: String? = nil
  ) {
    self.name = name
    self.text = text
    self.line = line
    self.column = column
    self.message = message
    self.nearest = nearest
  }

  /// Lines after the five of the least scenario; the line is counted from them.
  static func added(
    _ name: String, _ text: String, _ line: Int, _ column: Int, _ message: String, nearest: String? = nil
  ) -> BadCase {
    BadCase(name, Story.least + text + "\n", line + 5, column, message, nearest: nearest)
  }

  /// A load in place of the least scenario's.
  static func load(_ name: String, _ text: String, _ column: Int, _ message: String, nearest: String? = nil)
    -> BadCase
  {
    BadCase(name, "name: a\npipeline: story\nload: \(text)\n", 3, column, message, nearest: nearest)
  }
}

@Suite("Faults of a scenario file")
struct DiagnosticTests {
  @Test(
    "each fault is found alone, at its line and column", arguments: structure + loads + figures + providers)
  func one(_ bad: BadCase) throws {
    let faults = Story.faults(bad.text)
    #expect(faults.count == 1, "\(faults)")
    let fault = try #require(faults.first)
    #expect(fault.message.contains(bad.message), "\(fault)")
    #expect([fault.line, fault.column] == [bad.line, bad.column], "\(fault)")
    if let nearest = bad.nearest { #expect(fault.nearest == nearest, "\(fault)") }
  }

  @Test("what a pipeline decides is checked as that of the nearest one, and without one that is told")
  func otherPipeline() {
    let rest =
      "load: { model: closed, users: 1, for: 1s }\nstrategies: [per-elment]\ngates: [task.orphaned == 0]\n"
    let near = Story.faults("name: a\npipeline: stroy\n" + rest)
    #expect(near.map(\.line) == [2, 4, 5], "\(near)")
    let far = Story.faults("name: a\npipeline: checkout\n" + rest)
    #expect(far.map(\.line) == [2, 2], "\(far)")
    #expect(far.last?.message.contains("gates were not checked") == true)
  }

  @Test("a label that the pipeline has no value for is a fault too")
  func noLabels() throws {
    var bare = Story.declaration
    (bare.roles, bare.stages) = ([:], [])
    for gate in ["hops{role=registry} < 3", "latency.stage{stage=names}.p50 < 1s"] {
      let text = Story.least + "gates: ['\(gate)']\n"
      guard case .failure(let errors) = ScenarioReader(workloads: [bare]).read(text: text, file: "a.yaml")
      else {
        Issue.record("\(gate) was taken")
        continue
      }
      #expect(errors.diagnostics.map(\.line) == [6])
      #expect(errors.diagnostics.first?.allowed?.hasPrefix("none") == true, "\(errors.diagnostics)")
    }
  }

  static let structure: [BadCase] = [
    .added("unknown key", "gatess: []", 1, 1, "unknown key `gatess`", nearest: "gates"),
    .added("duplicate key", "seed: 1\nseed: 2", 2, 1, "duplicate key `seed`"),
    .added("duplicate key in depth", "sink: { update: 1us, update: 2us }", 1, 22, "duplicate key `update`"),
    BadCase("no name", "pipeline: story\nload: { model: closed, users: 1, for: 1s }\n", 1, 1, "lacks `name`"),
    BadCase("no pipeline", "name: a\nload: { model: closed, users: 1, for: 1s }\n", 1, 1, "lacks `pipeline`"),
    BadCase("no load", "name: a\npipeline: story\n", 1, 1, "lacks `load`"),
    BadCase(
      "unknown pipeline", "name: a\npipeline: stroy\nload: { model: closed, users: 1, for: 1s }\n", 2, 11,
      "unknown pipeline `stroy`", nearest: "story"),
    BadCase(
      "unsafe name", "name: ../a\npipeline: story\nload: { model: closed, users: 1, for: 1s }\n", 1, 7,
      "`name` cannot be `../a`"),
    BadCase(
      "hidden name", "name: .a\npipeline: story\nload: { model: closed, users: 1, for: 1s }\n", 1, 7,
      "`name` cannot be"),
    BadCase(
      "name of the index beside it",
      "name: runs.json\npipeline: story\nload: { model: closed, users: 1, for: 1s }\n",
      1, 7, "`name` cannot be `runs.json`"),
    .added(
      "unknown variant", "variant: last-batch-lots", 1, 10, "unknown variant", nearest: "last-batch-lost"),
    .added("variant twice", "variant: [sound, sound]", 1, 18, "listed twice"),
    .added(
      "a flaw on a clock it does not exist on", "variant: [sound, late-tick]\nclock: [virtual, real]", 1, 18,
      "does not exist on the real clock"),
    .added("unknown clock", "clock: [virtual, reel]", 1, 18, "`clock` cannot be `reel`", nearest: "real"),
    .added("negative seed", "seed: -1", 1, 7, "`seed` cannot be `-1`"),
    .added("seed in quotes", "seed: \"7\"", 1, 7, "`seed` cannot be the text \"7\""),
    .added(
      "every-hop in real time", "schedule: every-hop\nclock: real", 1, 11,
      "`every-hop` orders virtual time only"),
    .added("list for mapping", "sink: [1]", 1, 7, "`sink` must be a mapping, not a list"),
    .added("nothing for mapping", "behaviour:", 1, 1, "`behaviour` must be a mapping, not nothing"),
    .added(
      "boolean by another word", "keep-iterations: yes", 1, 18, "must be true or false", nearest: "true"),
    .added("no repetition", "repetitions: 0", 1, 14, "`repetitions` cannot be 0"),
    .added("huge number", "repetitions: 99999999999999999999", 1, 14, "`repetitions` cannot be 9999"),
    .added("fraction", "repetitions: 1.5", 1, 14, "must be a whole number, not `1.5`"),
    .added("duration without unit", "grace: 5", 1, 8, "`5` is no duration"),
    .added("rate for duration", "grace: 5/s", 1, 8, "`5/s` is no duration"),
    .added("unknown unit", "grace: 5sec", 1, 8, "`5sec` is no duration"),
    .added("negative duration", "grace: -5s", 1, 8, "not a plain decimal of 0 or more"),
    .added("endless duration", "grace: 999999999h", 1, 8, "too large a duration"),
    .added("objective 0", "objective: 0s", 1, 12, "`objective` cannot be 0s"),
    .added("merge key", "<<: { a: 1 }", 1, 1, "unknown key `<<`"),
  ]

  static let loads: [BadCase] = [
    .load("no model", "{ users: 1, for: 1s }", 7, "lacks `model`"),
    .load(
      "unknown model", "{ model: opne, stages: [{ for: 1s, rate: 1/s }] }", 16, "cannot be `opne`",
      nearest: "open"),
    .load("no stages", "{ model: open }", 7, "`load` lacks `stages`"),
    .load("empty stages", "{ model: open, stages: [] }", 30, "`stages` is empty"),
    .load(
      "stage of no length", "{ model: open, stages: [{ for: 0s, rate: 1/s }] }", 38, "`for` cannot be 0s"),
    .load("stage without rate", "{ model: open, stages: [{ for: 1s }] }", 31, "a stage lacks `rate`"),
    .load(
      "rate 0 everywhere", "{ model: open, stages: [{ for: 1s, rate: 0/s }] }", 30,
      "the rate is 0 in every stage"),
    .load("rate without time", "{ model: open, stages: [{ for: 1s, rate: 40 }] }", 48, "`40` is no rate"),
    .load("negative rate", "{ model: open, stages: [{ for: 1s, rate: -1/s }] }", 48, "`-1/s` is no rate"),
    .load("endless plan", "{ model: open, stages: [{ for: 1h, rate: 9000000/s }] }", 30, "the stages plan"),
    .load(
      "warm-up as long as the load", "{ model: open, stages: [{ for: 5s, rate: 1/s }], warm-up: 5s }", 65,
      "`warm-up` takes up the whole load"),
    .load(
      "limit 0", "{ model: open, max-in-flight: 0, stages: [{ for: 5s, rate: 1/s }] }", 37,
      "`max-in-flight` cannot be 0"),
    .load(
      "users in open load", "{ model: open, users: 3, stages: [{ for: 5s, rate: 1/s }] }", 22,
      "`users` has no meaning in a load of model open"),
    .load("no users", "{ model: closed, users: 0, for: 1s }", 31, "`users` cannot be 0"),
    .load("endless closed load", "{ model: closed, users: 1 }", 7, "`load` would never end"),
    .load(
      "at-limit alone", "{ model: open, at-limit: drop, stages: [{ for: 5s, rate: 1/s }] }", 32,
      "without `max-in-flight`"),
    .load(
      "unknown key in a stage", "{ model: open, stages: [{ for: 5s, raet: 1/s, rate: 1/s }] }", 42,
      "unknown key `raet`", nearest: "rate"),
  ]

  static let figures: [BadCase] = [
    .added(
      "count over the limit", "behaviour:\n  select-names: { count: 11 }", 2, 26, "`count` cannot be 11"),
    .added("share over 100 %", "behaviour:\n  regenerate: { share: 120% }", 2, 24, "`120%` is no share"),
    .added("share without sign", "behaviour:\n  regenerate: { share: 0.2 }", 2, 24, "`0.2` is no share"),
    .added("unknown choice", "behaviour: { on-failure: rety }", 1, 26, "cannot be `rety`", nearest: "retry"),
    .added(
      "unknown behaviour", "behaviour: { select-name: {} }", 1, 14, "unknown key `select-name`",
      nearest: "select-names"),
    .added("batch size 0", "strategies:\n  - batched: { size: 0 }", 2, 22, "`size` cannot be 0"),
    .added("batched by nothing", "strategies:\n  - batched", 2, 5, "needs `size` or `every`"),
    .added(
      "batched by nothing, with a name", "strategies:\n  - batched: { name: x }", 2, 5,
      "needs `size` or `every`"),
    .added(
      "unknown strategy", "strategies: [per-elment]", 1, 14, "unknown strategy `per-elment`",
      nearest: "per-element"),
    .added(
      "two strategies of one name", "strategies:\n  - batched: { size: 5 }\n  - batched: { size: 5 }", 3, 5,
      "a second strategy has the name `batched-5`"),
    .added("no strategy", "strategies: []", 1, 13, "`strategies` is empty"),
    .added(
      "name with blanks", "strategies: [{ per-element: { name: a b } }]", 1, 37, "`name` cannot be `a b`"),
    .added(
      "expected finding unknown", "expect: [{ finding: orphaned-tsk }]", 1, 21, "unknown finding",
      nearest: "orphaned-task"),
    .added("expected never", "expect: [{ finding: orphaned-task, count: 0 }]", 1, 43, "`count` cannot be 0"),
    .added("gate with =", "gates:\n  - tasks.orphaned = 0", 2, 20, "`=` is no comparison", nearest: "=="),
    .added("gate without value", "gates:\n  - \"latency.iteration.p95 < \"", 2, 30, "a value is missing"),
    .added("gate without unit", "gates:\n  - latency.iteration.p95 < 100", 2, 29, "`100` is no duration"),
    .added(
      "gate on unknown metric", "gates:\n  - task.orphaned == 0", 2, 5, "there is no metric",
      nearest: "tasks.orphaned"),
    .added("gate on percentile 101", "gates:\n  - latency.iteration.p101 < 1s", 2, 5, "no statistic `p101`"),
    .added(
      "gate on unknown strategy", "gates:\n  - tasks.orphaned == 0 for per-elemnt", 2, 29, "unknown strategy",
      nearest: "per-element"),
    .added(
      "gate on unknown stage", "gates:\n  - latency.stage{stage=nmaes}.p99 < 1s", 2, 25, "unknown stage",
      nearest: "names"),
    .added(
      "gate on unknown role", "gates: ['hops{role=registri} / elements.stored == 1']", 1, 20, "unknown role",
      nearest: "registry"),
    .added("gate that is a mapping", "gates: [{ a: 1 }]", 1, 9, "a gate must be a text"),
  ]

  static let providers: [BadCase] = [
    .added("unknown provider", "providers: { nams: {} }", 1, 14, "unknown key `nams`", nearest: "names"),
    .added(
      "bare latency", "providers: { names: { latency: 120ms } }", 1, 32, "must be a distribution, not `120ms`"
    ),
    .added(
      "unknown kind", "providers: { names: { latency: { logormal: { median: 1s, p99: 2s } } } }", 1, 34,
      "unknown kind of distribution", nearest: "lognormal"),
    .added(
      "p99 below median", "providers: { names: { latency: { lognormal: { median: 2s, p99: 1s } } } }", 1, 64,
      "`p99` is smaller than `median`"),
    .added(
      "percentile 101", "providers: { names: { latency: { lognormal: { median: 2s, p99: 3s, p101: 4s } } } }",
      1, 68, "unknown key `p101`"),
    .added(
      "mean 0", "providers: { names: { latency: { exponential: { mean: 0s } } } }", 1, 55,
      "`mean` must be above 0"),
    .added(
      "empty sequence", "providers: { names: { latency: { sequence: [] } } }", 1, 44, "`sequence` is empty"),
    .added("recorded", "providers: { names: { latency: { recorded: x.csv } } }", 1, 34, "cannot be read yet"),
    .added(
      "two kinds", "providers: { names: { latency: { constant: 1s, exponential: { mean: 1s } } } }", 1, 48,
      "has two kinds"),
    .added("no kind", "providers: { names: { latency: {} } }", 1, 32, "`latency` has no kind"),
    .added("capacity 0", "providers: { names: { capacity: 0 } }", 1, 33, "`capacity` cannot be 0"),
    .added(
      "tokens of a single answer", "providers: { names: { tokens: 3 } }", 1, 23, "`tokens` has no meaning"),
    .added("queue without capacity", "providers: { names: { queue-limit: 3 } }", 1, 23, "without `capacity`"),
    .added(
      "failure of unknown kind", "providers: { names: { failures: [{ kind: timeot, share: 1% }] } }", 1, 42,
      "cannot be `timeot`", nearest: "timeout"),
    .added(
      "failure of no calls", "providers: { names: { failures: [{ kind: timeout }] } }", 1, 34,
      "does not say which calls fail"),
    .added(
      "failure said twice", "providers: { names: { failures: [{ kind: timeout, share: 1%, every: 2 }] } }", 1,
      62, "says twice which calls fail"),
    .added(
      "window backwards", "providers: { names: { failures: [{ kind: timeout, from: 2s, to: 1s }] } }", 1, 65,
      "`to` is not after `from`"),
    .added(
      "mid-stream of a single answer",
      "providers: { names: { failures: [{ kind: mid-stream, share: 1% }] } }", 1, 42,
      "`mid-stream` has no meaning"),
    .added(
      "break after more tokens than there are",
      "providers: { prose: { tokens: 7, failures: [{ kind: mid-stream, share: 1%, after-tokens: 8 }] } }", 1,
      44, "`after-tokens` is 8, and the stream has 7"),
    .added(
      "break after more tokens than there are by default",
      "providers: { prose: { failures: [{ kind: mid-stream, share: 1%, after-tokens: 41 }] } }", 1, 33,
      "`after-tokens` is 41, and the stream has 40"),
    .added(
      "tokens before a failure of another kind",
      "providers: { prose: { failures: [{ kind: timeout, share: 1%, after-tokens: 4 }] } }", 1, 62,
      "belongs to failures of kind mid-stream"),
    .added(
      "stalls beside latency", "providers: { names: { stalls: [{ at: 1s, for: 1s }] } }", 1, 23,
      "`stalls` does not stand here"),
    .added(
      "stall of no length", "providers: { names: { latency: { stalls: [{ at: 1s, for: 0s }] } } }", 1, 58,
      "`for` cannot be 0s"),
  ]

  @Test("several faults are told at once, in the order of the file")
  func several() {
    let text = """
      nam: a
      pipeline: story
      load:
        model: open
        stages: [{ for: 10, rate: 20 }]
        max-in-flight: 0
      strategies: [batched: { size: 0 }, per-elment]
      gates: [tasks.orphaned = 0]

      """
    let faults = Story.faults(text)
    let places = faults.map { "\($0.line):\($0.column)" }
    #expect(places == ["1:1", "1:1", "5:19", "5:29", "6:18", "7:31", "7:36", "8:24"], "\(faults)")
  }

  @Test("faults of several files are told at once, and two of one name are a fault")
  func files() throws {
    try Scratch.use { scratch in
      let good = try scratch.write("a.yaml", Story.least)
      let twin = try scratch.write("b.yaml", Story.least)
      let bad = try scratch.write("c.yaml", Story.least + "sed: 1\n")
      guard
        case .failure(let errors) = Story.reader.read(files: [good, twin, bad, scratch.path + "/none.yaml"])
      else {
        Issue.record("this must fail")
        return
      }
      #expect(errors.diagnostics.map(\.message.first) == ["a", "u", "t"])
      #expect(errors.diagnostics.map(\.file) == [twin, bad, scratch.path + "/none.yaml"])
      #expect(errors.description.hasSuffix("3 errors; nothing was run"))
    }
  }

  @Test("a fault is printed with its line, a caret and hints")
  func printing() {
    let faults = Story.faults(Story.least + "  \n\u{1F600}: 1\nsink: { updte: 1us }\n")
    #expect(
      faults.last?.description == """
        t.yaml:8:9: error: unknown key `updte`
          sink: { updte: 1us }
                  ^~~~~
          allowed: update, per-element
          did you mean `update`?
        """)
    #expect(faults.first.map { [$0.line, $0.column] } == [7, 1])
  }

  @Test("overrides are told by their own place")
  func overrides() {
    func place(_ text: String) -> String {
      let faults = Story.faults(Story.rapid, overrides: [.set(text)])
      return faults.map { "\($0.file):\($0.line):\($0.column) \($0.message)" }.joined(separator: "|")
    }
    #expect(
      place("load.stages.0.rate=80")
        == "--set:1:20 `rate`: `80` is no rate")
    #expect(
      place("load.stages.7.rate=80/s").hasPrefix("--set:1:13 `load.stages` is a list and has no element `7`"))
    #expect(place("sed=9").hasPrefix("--set:1:1 unknown key `sed`"))
    #expect(place("seed").hasPrefix("--set:1:1 this is no override"))
    #expect(place("seed=").hasPrefix("--set:1:6 a value is missing"))
    #expect(place("a..b=1").hasPrefix("--set:1:3 a key is missing"))
    #expect(place("load.model.x=1").hasPrefix("--set:1:12 `load.model` is `open` and has no keys"))
    #expect(place("load.stages=[{").hasPrefix("--set:1:"))
    let seed = Story.faults(Story.rapid, overrides: [.seed("x")])
    #expect(seed.map { "\($0.file):\($0.line):\($0.column)" } == ["--seed:1:1"])
    let strategy = Story.faults(Story.rapid, strategies: ["batched-6"])
    #expect(
      strategy.map { "\($0.file):\($0.line):\($0.column) \($0.nearest ?? "")" } == [
        "--strategy:1:1 batched-5"
      ])
  }

  @Test("What is allowed goes on in lines of its own where it is long, and loses no word")
  func longAllowed() {
    let names = (1...30).map { "name-\($0)" }
    let diagnostic = ScenarioDiagnostic(
      file: "a.yaml", message: "unknown", allowed: names.joined(separator: ", "))
    let rows = diagnostic.description.split(separator: "\n").dropFirst()
    #expect(rows.count > 3 && rows.allSatisfy { $0.count <= 80 })
    #expect(rows.first?.hasPrefix("  allowed: name-1, ") == true)
    #expect(rows.dropFirst().allSatisfy { $0.hasPrefix("           name-") })
    let words = rows.joined(separator: " ").split { " ,".contains($0) }.dropFirst().map(String.init)
    #expect(words == names)
  }
}
