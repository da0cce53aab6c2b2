package import WorkloadInterface

/// The JSON Schema of scenario files, for completion and checks in editors.
///
/// Made from the declarations that the reader checks against. What a schema cannot say (a warm-up longer than
/// the load, two strategies of one name) is left to the reader.
package enum ScenarioSchema {
  /// The schema (draft 2020-12) for these pipelines; equal declarations give equal bytes.
  package static func json(workloads: [WorkloadDeclaration]) -> String {
    var schema: [String: SchemaValue] = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "weir-scenario.json",
      "title": "Weir scenario",
      "type": "object",
      "required": .list(["name", "pipeline", "load"]),
      "properties": .object(common(workloads)),
      // Every key is named in `properties`: those that depend on the pipeline hold anything there.
      "additionalProperties": false,
      "$defs": .object(SchemaDefinitions.all),
    ]
    // A list of alternatives must not be empty.
    if !workloads.isEmpty { schema["allOf"] = .list(workloads.map(branch)) }
    return SchemaValue.object(schema).json
  }

  private static func common(_ workloads: [WorkloadDeclaration]) -> [String: SchemaValue] {
    [
      "name": .pattern(
        "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$", "The scenario's name; also the name of its directory."),
      "about": .object(["type": "string", "description": "One sentence for people."]),
      "pipeline": .words(workloads.map(\.name), "The pipeline under load."),
      "clock": .oneOrMany(.words(ClockKind.allCases.map(\.rawValue)), "Default: virtual."),
      "seed": .object(["type": "integer", "minimum": 0, "description": "Seed of all draws. Default: 1."]),
      "schedule": .words(
        Scenario.Schedule.allCases.map(\.rawValue), "How virtual time orders ready jobs. Default: fifo."),
      "cancel": .mapping(
        [
          "at-step": .object([
            "anyOf": .list([.object(["const": .text(StepCancelReader.each)]), .integer(0...Int.max)]),
            "description": "The step, or each of them, one run for each.",
          ]),
          "order": .integer(
            1...ScenarioLimits.repetitions, "The one order of jobs that is tried; `every-hop` only."),
          "orders": .integer(
            1...ScenarioLimits.repetitions, "Orders of jobs that are tried; `every-hop` only. Default: 1."),
        ], required: ["at-step"],
        "At which scheduling steps of virtual time everything that runs is cancelled."),
      "load": .reference("load", "How iterations are started."),
      "variant": true, "behaviour": true, "providers": true, "strategies": true,
      "sink": .mapping(
        [
          "update": .reference("duration", "Cost of one update."),
          "per-element": .reference("duration", "Cost added for each element already shown."),
        ], "What showing an element costs the consumer."),
      "repetitions": .integer(1...ScenarioLimits.repetitions, "How often each cell is run. Default: 1."),
      "objective": .reference("duration", "An iteration that completes within this time counts for goodput."),
      "grace": .reference(
        "duration", "How long a task may outlive its iteration before it is an orphan. Default: 1s."),
      "watchdog": .reference("duration", "A cell without any progress for this long is hung. Default: 30s."),
      "keep-iterations": .object([
        "type": "boolean", "description": "Whether each iteration's times are kept. Default: false.",
      ]),
      "gates": .oneOrMany(
        .object(["type": "string"]), "Conditions: metric [/ metric] op value [for strategy]."
      )
      .allowingEmptyList,
      "expect": .array(.reference("expectation"), "Findings that must occur."),
    ]
  }

  /// What holds when `pipeline` names this workload.
  private static func branch(_ workload: WorkloadDeclaration) -> SchemaValue {
    let strategies = workload.strategies.flatMap(strategy)
    let providers = workload.providers.map { ($0.name, provider($0)) }
    let properties: [String: SchemaValue] = [
      "variant": .oneOrMany(.words(["sound"] + workload.flaws.map(\.name)), "Default: sound."),
      "behaviour": parameters(workload.behaviour, "The scripted user of one iteration."),
      "providers": .mapping(Dictionary(providers) { first, _ in first }, "Scripts of the fake providers."),
      "strategies": .oneOrMany(
        strategies.isEmpty ? true : .object(["anyOf": .list(strategies)]),
        "Ways of doing the same work. Default: \(workload.strategies.first?.name ?? "none")."),
    ]
    return .object([
      "if": .object([
        "properties": .object(["pipeline": .object(["const": .text(workload.name)])]),
        "required": .list(["pipeline"]),
      ]),
      "then": .object(["properties": .object(properties)]),
    ])
  }

  private static func strategy(_ strategy: StrategyDeclaration) -> [SchemaValue] {
    var settings = Dictionary(strategy.parameters.map { ($0.name, parameter($0)) }) { first, _ in first }
    settings["name"] = .object(["type": "string", "description": "The name in results."])
    var also: [String: SchemaValue] = [:]
    if !strategy.needsOneOf.isEmpty {
      also["anyOf"] = .list(strategy.needsOneOf.map { .object(["required": .list([.text($0)])]) })
    }
    let withSettings = SchemaValue.mapping(
      [strategy.name: .mapping(settings, strategy.about, also: also)], required: [strategy.name])
    guard strategy.needsOneOf.isEmpty else { return [withSettings] }
    return [.object(["const": .text(strategy.name), "description": .text(strategy.about)]), withSettings]
  }

  private static func provider(_ provider: ProviderDeclaration) -> SchemaValue {
    var keys = SchemaDefinitions.provider
    if !provider.isStreaming { for key in ProviderReader.streamingKeys { keys[key] = nil } }
    return .mapping(keys, provider.about)
  }

  private static func parameters(_ declared: [ParameterDeclaration], _ about: String) -> SchemaValue {
    .mapping(Dictionary(declared.map { ($0.name, parameter($0)) }) { first, _ in first }, about)
  }

  private static func parameter(_ parameter: ParameterDeclaration) -> SchemaValue {
    var about = parameter.about
    if let value = parameter.defaultValue { about += " Default: \(FlowText.value(value, parameter.kind))." }
    switch parameter.kind {
    case .integer(let range): return .integer(range, about)
    case .share: return .reference("share", about)
    case .duration: return .reference("duration", about)
    case .distribution: return .reference("distribution", about)
    case .choice(let words): return .words(words, about)
    case .boolean: return .object(["type": "boolean", "description": .text(about)])
    case .record(let declared): return parameters(declared, about)
    }
  }
}

extension SchemaValue {
  /// The same with lists of no element allowed.
  fileprivate var allowingEmptyList: SchemaValue {
    switch self {
    case .object(let form): .object(form.filter { $0.key != "minItems" }.mapValues(\.allowingEmptyList))
    case .list(let values): .list(values.map(\.allowingEmptyList))
    default: self
    }
  }
}
