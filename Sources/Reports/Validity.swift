internal import RunRecords

/// What says whether a run's figures mean anything: how much of the load was delivered and how honest the
/// measurement was.
struct Validity {
  /// One fact: its name and what each cell has of it.
  struct Fact {
    var name: String
    var values: [String?]
    /// The figures, where it is one; for a range over cells.
    var figures: [MetricValue?]
  }

  /// The facts that some cell has.
  let facts: [Fact]
  /// What became of the iterations of a cell, in a few words each: `started 1,194`, `completed 1,079 to 1,086`.
  let counts: [String]
  /// Sentences on what the figures cannot show.
  let notes: [String]
  /// Of these, what a trace did to the figures of its cell: told even where the rest goes without saying.
  let traceNotes: [String]
  /// The facts in a few words, where there is nothing to worry about: all cells ran on the virtual clock, took the
  /// whole load in time and counted everything; nil otherwise.
  let brief: [String]?

  private static let figures: [(name: String, metric: String, isShare: Bool)] = [
    ("offered", "load.offered", false), ("achieved", "load.achieved", false),
    ("still queued", "arrivals.queued", false),
    ("start lateness p50", "load.lateness.p50", false), ("start lateness p99", "load.lateness.p99", false),
    ("start lateness max", "load.lateness.max", false), ("generator CPU", "load.generator-cpu", true),
    ("probe events lost", "probe.lost", false), ("probe cost per switch", "probe.switch-cost", false),
  ]

  init(_ run: RunRecord, glossary: Glossary) {
    var facts = Self.figures.map { figure in
      let values = run.cells.map { $0.metrics[figure.metric] }
      return Fact(
        name: figure.name,
        values: values.map { value in
          value.map {
            figure.isShare ? MetricFormat.percentage($0.double) : glossary.text($0, of: figure.metric)
          }
        },
        figures: values)
    }
    facts.append(
      Fact(
        name: "coverage",
        values: run.cells.map { $0.coverage == .absent ? "nothing was counted" : $0.coverage.rawValue },
        figures: []))
    let isRecording = run.scenario.isRecording
    let warmUp =
      run.scenario.warmUp > 0
      ? MetricFormat.duration(Double(run.scenario.warmUp)) + " left out of distributions" : "none"
    if !isRecording {
      facts.append(Fact(name: "warm-up", values: run.cells.map { _ in warmUp }, figures: []))
    }
    let counted = Self.counts(run).filter { $0.values.contains { $0 != nil } }
    counts = counted.map { "\($0.name) \($0.overall)" }
    self.facts = counted + facts.filter { $0.values.contains { $0 != nil } }
    traceNotes = run.cells.compactMap { Self.traceNote($0, amid: run.cells) }
    notes = Self.notes(run) + traceNotes
    let isWell = !run.cells.isEmpty && run.cells.allSatisfy(Self.isWell)
    brief = isWell ? Self.brief(self.facts, warmUp: run.scenario.warmUp) : nil
  }

  private static let counted: [(name: String, metric: String)] = [
    ("planned", "arrivals.planned"), ("started", "iterations.started"),
    ("completed", "iterations.completed"), ("failed", "iterations.failed"),
    ("cancelled", "iterations.cancelled"), ("dropped", "arrivals.dropped"),
    ("running at the end", "iterations.running"),
  ]

  /// What became of the iterations; of the last kind only where there were some.
  private static func counts(_ run: RunRecord) -> [Fact] {
    guard !run.scenario.isRecording else { return [] }
    var facts = counted.map { count in fact(count.name, run.cells.map { $0.metrics[count.metric] }) }
    if !facts[facts.count - 1].figures.contains(where: { ($0?.double ?? 0) > 0 }) { facts.removeLast() }
    if run.scenario.warmUp > 0 { facts.append(fact("in the warm-up", run.cells.map(inWarmUp))) }
    return facts
  }

  private static func fact(_ name: String, _ figures: [MetricValue?]) -> Fact {
    Fact(name: name, values: figures.map { $0.map(MetricFormat.number) }, figures: figures)
  }

  /// How many iterations that ended are in no distribution, because they began in the warm-up.
  private static func inWarmUp(_ cell: CellRecord) -> MetricValue? {
    let ends = ["iterations.completed", "iterations.failed", "iterations.cancelled"].map { cell.metrics[$0] }
    guard case .integer(let measured)? = cell.metrics["latency.iteration.count"] else { return nil }
    let ended = ends.reduce(into: Int64(0)) { sum, end in
      if case .integer(let count)? = end { sum += count }
    }
    return .integer(max(0, ended - measured))
  }

  private static func isWell(_ cell: CellRecord) -> Bool {
    let zeros = ["arrivals.dropped", "arrivals.queued", "load.lateness.max", "probe.lost"]
    return cell.clock == "virtual" && ![.invalid, .hung, .crashed, .interrupted].contains(cell.verdict)
      && cell.coverage == .wholeRuntime && cell.metrics["load.offered"] == cell.metrics["load.achieved"]
      && zeros.allSatisfy { cell.metrics[$0].map { $0.double == 0 } ?? true }
  }

  private static func brief(_ facts: [Fact], warmUp: Int64) -> [String] {
    let figures = facts.compactMap { fact -> String? in
      switch fact.name {
      case "offered", "achieved", "coverage": "\(fact.name) \(fact.overall)"
      default: nil
      }
    }
    return figures + [warmUp > 0 ? "warm-up \(MetricFormat.duration(Double(warmUp))) left out" : "no warm-up"]
  }

  private static func notes(_ run: RunRecord) -> [String] {
    if run.scenario.isRecording { return recordingNotes(run) }
    var notes: [String] = []
    if run.cells.contains(where: { $0.clock == "virtual" }) {
      notes.append(
        "On the virtual clock CPU costs nothing, so strategies cannot differ in throughput there: latencies hold scripted delays and queueing at providers."
      )
    }
    if run.scenario.loadModel == "closed" {
      notes.append("Closed load has no intended start: latency is shown from each iteration's real start.")
    } else {
      notes.append("Latency is shown from the intended start; service time from the real start.")
    }
    return notes
  }

  /// What a trace did to the figures of its cell.
  fileprivate static func traceNote(_ cell: CellRecord, amid cells: [CellRecord]) -> String? {
    guard let trace = cell.trace else { return nil }
    let name = cell.title(amid: cells)
    guard trace.events > 0 || trace.note == nil else {
      return "\(name) was to be traced: \(trace.note ?? "")."
    }
    var words = "\(name) was traced, \(MetricFormat.grouped(Int64(trace.events))) events"
    words +=
      cell.clock == "virtual"
      ? "; virtual time is not changed by that."
      : ": each hop takes longer in it, so its times and rates are not those of an untraced run."
    if trace.lost > 0 {
      words +=
        " \(MetricFormat.grouped(Int64(trace.lost))) later events are missing: the timeline is whole for its first "
        + "\(MetricFormat.duration(Double(trace.length)))."
    }
    if let failure = trace.failure { words += " Its files are not all there: \(failure)." }
    return words + (trace.note.map { " Its end is missing: \($0)." } ?? "")
  }
}

extension Validity {
  /// Whether a fact is among the counts of iterations.
  func isCount(_ fact: Fact) -> Bool { counts.contains("\(fact.name) \(fact.overall)") }

  /// What the probe in somebody's program cannot see.
  private static func recordingNotes(_ run: RunRecord) -> [String] {
    let common =
      "No known work was run in the program to calibrate the probe: the layout of its runtime was checked instead."
    switch run.cells.first?.coverage {
    case .userCode?:
      return [
        "Calls that the program's own code makes into the Swift runtime are seen. Not seen: switches within the runtime and the standard library (AsyncSequence adaptors, continuations, sleeps), Task.cancel(), children and what came after an exec that was not followed.",
        common,
      ]
    case .wholeRuntime?:
      return ["Calls within the Swift runtime are seen as well. Not seen: the program's children.", common]
    default: return []
    }
  }
}

extension Validity.Fact {
  /// One text for all cells: the value they share, or the range from least to most.
  var overall: String {
    let known = values.compactMap { $0 }
    if Set(known).count == 1, known.count == values.count { return known[0] }
    let ranked = zip(figures, values).compactMap { figure, text in
      text.flatMap { t in figure.map { ($0.double, t) } }
    }
    guard let least = ranked.min(by: { $0.0 < $1.0 }), let most = ranked.max(by: { $0.0 < $1.0 }) else {
      var seen: Set<String> = []
      return known.filter { seen.insert($0).inserted }.joined(separator: ", ")
    }
    let missing = values.count - ranked.count
    let range = least.1 == most.1 ? least.1 : "\(least.1) to \(most.1)"
    return missing == 0 ? range : "\(range) (not measured in \(missing) of \(values.count) cells)"
  }
}
