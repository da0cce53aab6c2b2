internal import WorkloadInterface

/// A checked scenario as YAML with every default filled in; reading it gives the same scenario again.
struct ResolvedScenarioText {
  let scenario: Scenario
  let workload: WorkloadDeclaration

  /// The whole file.
  var text: String {
    var rows = head
    rows += load
    rows += section("behaviour", FlowText.entries(scenario.behaviour, workload.behaviour))
    rows += providers
    rows.append(
      "sink: "
        + FlowText.mapping([
          ("update", FigureText.duration(scenario.sink.update)),
          ("per-element", FigureText.duration(scenario.sink.perElement)),
        ]))
    rows += strategies
    rows += tail
    return rows.joined(separator: "\n") + "\n"
  }

  private var head: [String] {
    var rows = ["name: \(FlowText.word(scenario.name))"]
    if !scenario.about.isEmpty { rows.append("about: \(FlowText.quoted(scenario.about))") }
    rows.append("pipeline: \(FlowText.word(scenario.pipeline))")
    rows.append("variant: \(FlowText.list(scenario.variants.map(FlowText.word)))")
    rows.append("clock: \(FlowText.list(scenario.clocks.map(\.rawValue)))")
    rows.append("seed: \(scenario.seed)")
    rows.append("schedule: \(scenario.schedule.rawValue)")
    if let cancel = scenario.cancel { rows.append("cancel: \(self.cancel(cancel))") }
    return rows
  }

  private func cancel(_ cancel: Scenario.StepCancel) -> String {
    var entries = [("at-step", cancel.step.map(String.init) ?? StepCancelReader.each)]
    let orders = cancel.orders
    if scenario.schedule == .everyHop {
      entries.append(
        orders.lowerBound == 1 ? ("orders", "\(orders.upperBound)") : ("order", "\(orders.lowerBound)"))
    }
    return FlowText.mapping(entries)
  }

  private var load: [String] {
    var rows = ["load:"]
    switch scenario.load.model {
    case .open(let load):
      rows.append("  model: open")
      rows.append("  arrivals: \(load.arrivals.rawValue)")
      rows.append("  stages:")
      for stage in load.stages {
        var entries = [("for", FigureText.duration(stage.duration)), ("rate", FigureText.rate(stage.rate))]
        if let to = stage.to { entries.append(("to", FigureText.rate(to))) }
        rows.append("    - " + FlowText.mapping(entries))
      }
      if let limit = load.maxInFlight {
        rows.append("  max-in-flight: \(limit)")
        rows.append("  at-limit: \(load.atLimit.rawValue)")
      }
    case .closed(let load):
      rows.append("  model: closed")
      let users = load.sweep.isEmpty ? String(load.users) : FlowText.list(load.sweep.map(String.init))
      rows.append("  users: \(users)")
      if let think = load.think { rows.append("  think: \(FlowText.distribution(think))") }
      rows.append("  ramp: \(FigureText.duration(load.ramp))")
      if let duration = load.duration { rows.append("  for: \(FigureText.duration(duration))") }
      if let iterations = load.iterations { rows.append("  iterations: \(iterations)") }
    }
    rows.append("  warm-up: \(FigureText.duration(scenario.load.warmUp))")
    rows.append("  drain: \(FigureText.duration(scenario.load.drain))")
    return rows
  }

  private var providers: [String] {
    if workload.providers.isEmpty { return ["providers: {}"] }
    var rows = ["providers:"]
    for provider in workload.providers {
      guard let script = scenario.providers[provider.name] else { continue }
      rows.append("  \(FlowText.key(provider.name)):")
      rows += self.script(script, isStreaming: provider.isStreaming).map { "    \($0.0): \($0.1)" }
    }
    return rows
  }

  private func script(_ script: ProviderScript, isStreaming: Bool) -> [(String, String)] {
    var latency = [FlowText.entry(of: script.latency)]
    if !script.stalls.isEmpty {
      let windows = script.stalls.map {
        FlowText.mapping([("at", FigureText.duration($0.at)), ("for", FigureText.duration($0.duration))])
      }
      latency.append(("stalls", FlowText.list(windows)))
    }
    var entries = [("latency", FlowText.mapping(latency))]
    if isStreaming {
      if let first = script.firstToken { entries.append(("first-token", FlowText.distribution(first))) }
      if let between = script.betweenTokens {
        entries.append(("between-tokens", FlowText.distribution(between)))
      }
      if let tokens = script.tokens { entries.append(("tokens", String(tokens))) }
    }
    if let cpu = script.cpu { entries.append(("cpu", FlowText.distribution(cpu))) }
    entries.append(("failures", FlowText.list(script.failures.map(FlowText.failure))))
    if let capacity = script.capacity {
      entries.append(("capacity", String(capacity)))
      if let limit = script.queueLimit { entries.append(("queue-limit", String(limit))) }
    }
    entries.append(("ignores-cancellation", script.ignoresCancellation ? "true" : "false"))
    entries.append(("values", FlowText.list(script.values.map(FlowText.quoted))))
    return entries
  }

  private var strategies: [String] {
    if workload.strategies.isEmpty { return [] }
    return ["strategies:"]
      + scenario.strategies.map { selection in
        let declared = workload.strategies.first { $0.name == selection.kind }?.parameters ?? []
        let entries =
          FlowText.entries(selection.parameters, declared) + [("name", FlowText.word(selection.name))]
        return "  - \(FlowText.key(selection.kind)): \(FlowText.mapping(entries))"
      }
  }

  private var tail: [String] {
    var rows = ["repetitions: \(scenario.repetitions)"]
    if let objective = scenario.objective { rows.append("objective: \(FigureText.duration(objective))") }
    rows.append("grace: \(FigureText.duration(scenario.grace))")
    rows.append("watchdog: \(FigureText.duration(scenario.watchdog))")
    rows.append("keep-iterations: \(scenario.keepsIterations)")
    rows.append(scenario.gates.isEmpty ? "gates: []" : "gates:")
    rows += scenario.gates.map { "  - \(FlowText.quoted($0))" }
    rows.append(scenario.expectations.isEmpty ? "expect: []" : "expect:")
    for expectation in scenario.expectations {
      var entries = [("finding", FlowText.word(expectation.finding))]
      if let count = expectation.count { entries.append(("count", String(count))) }
      rows.append("  - " + FlowText.mapping(entries))
    }
    return rows
  }

  private func section(_ name: String, _ entries: [(String, String)]) -> [String] {
    entries.isEmpty ? ["\(name): {}"] : ["\(name):"] + entries.map { "  \(FlowText.key($0.0)): \($0.1)" }
  }
}
