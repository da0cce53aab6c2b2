/// A whole run, as `run.json` holds it. Everything but `environment` is a function of scenario, seed and build
/// on the virtual clock.
package struct RunRecord: Sendable, Codable, Equatable {
  /// The format's name and version.
  package static let currentFormat = "weir-run/1"

  /// `weir-run/1`.
  package var format: String
  /// The scenario as it was run: defaults filled in, overrides applied.
  package var scenario: ScenarioRecord
  /// What the run ran on; differs from run to run.
  package var environment: EnvironmentRecord
  /// One for each cell that was started, in plan order.
  package var cells: [CellRecord]
  /// How many cells the plan had.
  package var cellsPlanned: Int
  /// Strategies against the first.
  package var comparisons: [ComparisonRecord]
  /// The gates, judged.
  package var gates: [GateRecord]
  /// What the scenario expected to be found, judged.
  package var expectations: [ExpectationRecord]
  /// What it came to against a baseline; absent where none was asked for.
  package var baseline: BaselineRecord?
  /// Files of the run that could not be written, one sentence each; absent where all were.
  package var unwritten: [String]?
  /// The most severe of all.
  package var verdict: Verdict
  /// Why, one sentence each; empty for a pass.
  package var reasons: [String]

  /// Makes a record.
  package init(
    scenario: ScenarioRecord, environment: EnvironmentRecord, cells: [CellRecord], cellsPlanned: Int,
    comparisons: [ComparisonRecord], gates: [GateRecord], expectations: [ExpectationRecord],
    verdict: Verdict, reasons: [String]
  ) {
    format = Self.currentFormat
    self.scenario = scenario
    self.environment = environment
    self.cells = cells
    self.cellsPlanned = cellsPlanned
    self.comparisons = comparisons
    self.gates = gates
    self.expectations = expectations
    self.verdict = verdict
    self.reasons = reasons
  }

  /// Takes over that files of the run could not be written, one sentence each: what it left is not whole, so it
  /// proves nothing.
  package mutating func lost(files sentences: [String]) {
    guard !sentences.isEmpty else { return }
    unwritten = (unwritten ?? []) + sentences
    // The headline is the first reason: it has to be one of the verdict.
    reasons = verdict < .invalid ? reasons + sentences : sentences + reasons
    verdict = min(verdict, .invalid)
  }
}

/// The scenario in a record: what reports show of it, and its whole resolved text.
package struct ScenarioRecord: Sendable, Codable, Equatable {
  /// Its name.
  package var name: String
  /// Its sentence.
  package var about: String
  /// The pipeline.
  package var pipeline: String
  /// The seed.
  package var seed: UInt64
  /// `open` or `closed`.
  package var loadModel: String
  /// The warm-up in ns.
  package var warmUp: Int64
  /// The scenario with all defaults filled in, as YAML that runs the same again.
  package var resolved: String
  /// Gates for what was not run: strategies that the command line left out, or a sweep's other steps; absent where
  /// there are none.
  package var gatesLeftOut: [String]?

  /// The load model of a record that `weir record` made: somebody's program, under no load of Weir's.
  package static let recorded = "recorded"

  /// Whether this is a recorded program and no scenario.
  package var isRecording: Bool { loadModel == Self.recorded }

  /// Makes a record.
  package init(
    name: String, about: String, pipeline: String, seed: UInt64, loadModel: String, warmUp: Int64,
    resolved: String, gatesLeftOut: [String]? = nil
  ) {
    self.name = name
    self.about = about
    self.pipeline = pipeline
    self.seed = seed
    self.loadModel = loadModel
    self.warmUp = warmUp
    self.resolved = resolved
    self.gatesLeftOut = gatesLeftOut
  }
}

/// What a run ran on and what it cost; nothing here is compared.
package struct EnvironmentRecord: Sendable, Codable, Equatable {
  /// Weir's version.
  package var weir: String
  /// The compiler's version.
  package var toolchain: String
  /// `release` or `debug`.
  package var build: String
  /// How the probe is linked: `wrapped`, `interposed` or `absent`.
  package var linking: String
  /// Kernel and architecture.
  package var system: String
  /// Processor and number of logical cores.
  package var processor: String
  /// Cores the process may use.
  package var cores: Int
  /// The git commit of the directory the run started in, with `+changes` if it had some; nil outside git.
  package var commit: String?
  /// Start of the run, ISO 8601, UTC.
  package var started: String
  /// The file that the scenario came from, as it was given.
  package var scenarioFile: String
  /// What each cell cost, in plan order.
  package var cost: [CellCost]
  /// Wall time in ns from the start of the run to its end: less than the sum of its cells' where some ran at once.
  package var elapsed: Int64?

  /// Makes a record.
  package init(
    weir: String, toolchain: String, build: String, linking: String, system: String, processor: String,
    cores: Int, commit: String?, started: String, scenarioFile: String, cost: [CellCost] = []
  ) {
    self.weir = weir
    self.toolchain = toolchain
    self.build = build
    self.linking = linking
    self.system = system
    self.processor = processor
    self.cores = cores
    self.commit = commit
    self.started = started
    self.scenarioFile = scenarioFile
    self.cost = cost
  }

  /// How long the run took, in ns of the machine's clock; of a record that does not say, the sum over its cells.
  package var wall: Int64 { elapsed ?? cost.reduce(0) { $0 + $1.wall } }
}

/// What a cell cost on this machine.
package struct CellCost: Sendable, Codable, Equatable {
  /// Wall time in ns of the machine's clock.
  package var wall: Int64
  /// Processor time in user code, ns.
  package var cpuUser: Int64
  /// Processor time in the kernel, ns.
  package var cpuSystem: Int64
  /// Most memory resident, bytes.
  package var rssPeak: Int64
  /// Jobs that the virtual executor ran; 0 on the real clock.
  package var jobs: Int64

  /// Makes a record.
  package init(wall: Int64, cpuUser: Int64, cpuSystem: Int64, rssPeak: Int64, jobs: Int64) {
    self.wall = wall
    self.cpuUser = cpuUser
    self.cpuSystem = cpuSystem
    self.rssPeak = rssPeak
    self.jobs = jobs
  }
}

/// One strategy's figure beside the first strategy's.
package struct ComparisonRecord: Sendable, Codable, Equatable {
  /// The metric's name.
  package var metric: String
  /// The strategy.
  package var strategy: String
  /// The strategy it is compared with: the first of the scenario.
  package var against: String
  /// The variant of both.
  package var variant: String
  /// The clock of both.
  package var clock: String
  /// The users of both, in a sweep.
  package var users: Int?
  /// The strategy's figure (the median over repetitions).
  package var value: MetricValue
  /// The first strategy's figure.
  package var base: MetricValue
  /// value / base; nil where base is 0.
  package var ratio: Double?

  /// Makes a record.
  package init(
    metric: String, strategy: String, against: String, variant: String, clock: String, users: Int? = nil,
    value: MetricValue, base: MetricValue, ratio: Double?
  ) {
    self.users = users
    self.metric = metric
    self.strategy = strategy
    self.against = against
    self.variant = variant
    self.clock = clock
    self.value = value
    self.base = base
    self.ratio = ratio
  }
}

/// A gate, judged in one cell.
package struct GateRecord: Sendable, Codable, Equatable {
  /// The gate as written.
  package var gate: String
  /// The cell: strategy, variant, clock, repetition.
  package var strategy: String
  /// The cell's variant.
  package var variant: String
  /// The cell's clock.
  package var clock: String
  /// The cell's repetition.
  package var repetition: Int
  /// The cell's users, in a sweep.
  package var users: Int?
  /// The figure that was judged; nil when it is absent.
  package var actual: MetricValue?
  /// The figure it was held against.
  package var limit: MetricValue
  /// How far inside (above 0) or outside (below 0) the limit it lies, as a share of the limit; nil if n/a.
  package var margin: Double?
  /// `passed`, `failed` or `inconclusive`; the cell's own verdict where that kept it from being judged.
  package var verdict: Verdict
  /// Why, when it did not pass.
  package var reason: String?

  /// Whether it was judged: a cell that hung, crashed, was interrupted or is invalid proves nothing.
  package var isJudged: Bool { ![.invalid, .hung, .crashed, .interrupted].contains(verdict) }

  /// Makes a record.
  package init(
    gate: String, strategy: String, variant: String, clock: String, repetition: Int, users: Int? = nil,
    actual: MetricValue?, limit: MetricValue, margin: Double?, verdict: Verdict, reason: String?
  ) {
    self.users = users
    self.gate = gate
    self.strategy = strategy
    self.variant = variant
    self.clock = clock
    self.repetition = repetition
    self.actual = actual
    self.limit = limit
    self.margin = margin
    self.verdict = verdict
    self.reason = reason
  }
}

/// A finding that the scenario expected, judged in one cell, or over all cells of a sweep together.
package struct ExpectationRecord: Sendable, Codable, Equatable {
  /// The finding's name.
  package var finding: String
  /// How often it had to be seen; nil for at least once.
  package var count: Int?
  /// How often it was seen.
  package var seen: Int
  /// The cell's strategy.
  package var strategy: String
  /// The cell's variant.
  package var variant: String
  /// The cell's clock.
  package var clock: String
  /// The cell's repetition; 0 where all cells of a sweep were judged together.
  package var repetition: Int
  /// `passed` or `failed`.
  package var verdict: Verdict

  /// Makes a record.
  package init(
    finding: String, count: Int?, seen: Int, strategy: String, variant: String, clock: String,
    repetition: Int, verdict: Verdict
  ) {
    self.finding = finding
    self.count = count
    self.seen = seen
    self.strategy = strategy
    self.variant = variant
    self.clock = clock
    self.repetition = repetition
    self.verdict = verdict
  }
}
