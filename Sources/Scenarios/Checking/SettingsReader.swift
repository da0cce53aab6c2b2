internal import WorkloadInterface

/// The keys of a scenario that hold one plain value each.
struct ScenarioSettings {
  var about = ""
  var clocks: [ClockKind] = [.virtual]
  var seed: UInt64 = 1
  var schedule = Scenario.Schedule.fifo
  var cancel: Scenario.StepCancel?
  var sink = SinkDescription()
  var repetitions = 1
  var objective: Int64?
  var grace: Int64 = 1_000_000_000
  var watchdog: Int64 = 30_000_000_000
  var keepsIterations = false
}

extension ScenarioChecker {
  /// Reads the plain keys; what is at fault keeps its default.
  func settings(_ mapping: MappingReader) -> ScenarioSettings {
    let values = ValueReader(log: log)
    var settings = ScenarioSettings()
    func read<Value>(_ key: String, into field: inout Value, _ value: (DocumentNode, String) -> Value?) {
      if let node = mapping[key], let value = value(node, key) { field = value }
    }
    read("about", into: &settings.about) { values.text($0, $1) }
    read("clock", into: &settings.clocks, clocks)
    read("seed", into: &settings.seed) { values.seed($0, $1) }
    read("schedule", into: &settings.schedule) { values.choice($0, $1, Scenario.Schedule.self) }
    read("sink", into: &settings.sink) { node, _ in sink(node) }
    read("repetitions", into: &settings.repetitions) {
      values.integer($0, $1, in: 1...ScenarioLimits.repetitions)
    }
    settings.objective = mapping["objective"].flatMap { values.duration($0, "objective", atLeast: 1) }
    read("grace", into: &settings.grace) { values.duration($0, $1) }
    read("watchdog", into: &settings.watchdog) { values.duration($0, $1, atLeast: 1_000_000) }
    read("keep-iterations", into: &settings.keepsIterations) { values.boolean($0, $1) }
    if let node = mapping["cancel"] { settings.cancel = StepCancelReader(log: log).read(node, settings) }
    if settings.schedule == .everyHop, settings.clocks.contains(.real), let node = mapping["schedule"] {
      log.report(
        "`every-hop` orders virtual time only, and `clock` asks for the real clock", at: node, allowed: "fifo"
      )
    }
    return settings
  }

  private func clocks(_ node: DocumentNode, _ name: String) -> [ClockKind]? {
    let values = ValueReader(log: log)
    guard let elements = values.list(node, name, orOne: true, mayBeEmpty: false) else { return nil }
    var read: [ClockKind] = []
    for element in elements {
      guard let clock = values.choice(element, name, ClockKind.self) else { continue }
      if read.contains(clock) { log.report("clock `\(clock.rawValue)` is listed twice", at: element) }
      read.append(clock)
    }
    return read.isEmpty ? nil : read
  }

  private func sink(_ node: DocumentNode) -> SinkDescription? {
    let values = ValueReader(log: log)
    guard let mapping = MappingReader(node, "`sink`", keys: ["update", "per-element"], log: log) else {
      return nil
    }
    let update = mapping["update"].map { values.duration($0, "update") } ?? 0
    let perElement = mapping["per-element"].map { values.duration($0, "per-element") } ?? 0
    guard let update, let perElement else { return nil }
    return SinkDescription(update: update, perElement: perElement)
  }
}
