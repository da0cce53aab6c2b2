internal import WorkloadInterface

/// The parts of the schema that do not depend on the pipeline.
enum SchemaDefinitions {
  /// `$defs`.
  static let all: [String: SchemaValue] = [
    "duration": .pattern("^[0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|min|h)$", "A duration such as `250ms`."),
    "rate": .pattern("^[0-9]+(\\.[0-9]+)?/(ns|us|µs|ms|s|min|h)$", "Starts per time, such as `40/s`."),
    "share": .pattern("^([0-9]+(\\.[0-9]+)?|\\.[0-9]+)%$", "A percentage from 0% to 100%."),
    "distribution": .mapping(kinds, "A distribution of durations; one kind.", also: oneKind),
    "latency": .mapping(
      kinds.merging(["stalls": .array(.reference("stall"), "Windows in which nothing is answered.")]) { $1 },
      "A distribution of durations, with windows in which nothing is answered.", also: oneKind),
    "stall": .mapping(
      ["at": .reference("duration"), "for": .reference("duration")], required: ["at", "for"]),
    "stage": .mapping(
      [
        "for": .reference("duration", "Its length."), "rate": .reference("rate", "The rate at its start."),
        "to": .reference("rate", "The rate at its end, for a ramp."),
      ], required: ["for", "rate"]),
    "load": .object(["oneOf": .list([open, closed])]),
    "failure": failure,
    "expectation": .mapping(
      ["finding": .object(["type": "string"]), "count": .integer(1...Int(Int32.max))], required: ["finding"]),
  ]

  /// The keys of a provider's script.
  static let provider: [String: SchemaValue] = [
    "latency": .reference(
      "latency",
      "Time from a call's start of service to its answer; of a stream without `first-token`, to its first element."
    ),
    "first-token": .reference("distribution", "Time to the first element."),
    "between-tokens": .reference("distribution", "Time between elements."),
    "tokens": .integer(1...Int(Int32.max), "Elements in one answer."),
    "cpu": .reference("distribution", "Work done on the pool for each call, real clock only."),
    "failures": .array(.reference("failure"), "How and when it fails; the first that applies wins."),
    "capacity": .integer(1...Int(Int32.max), "Calls served at once; more calls queue."),
    "queue-limit": .integer(0...Int(Int32.max), "Calls that may queue before it refuses."),
    "ignores-cancellation": .object([
      "type": "boolean", "description": "Whether a call goes on after the caller was cancelled.",
    ]),
    "values": .array(
      .object(["type": .list(["string", "number", "boolean"])]), "Values to answer with, in order, cycling."),
  ]

  private static let oneKind: [String: SchemaValue] = [
    "oneOf": .list(DistributionReader.kinds.map { .object(["required": .list([.text($0.name)])]) })
  ]

  private static let kinds: [String: SchemaValue] = [
    "constant": .reference("duration"),
    "uniform": pair("from", "to"),
    "exponential": .mapping(["mean": .reference("duration")], required: ["mean"]),
    "lognormal": pair("median", "p99"),
    "pareto": .mapping(
      [
        "minimum": .reference("duration"), "p99": .reference("duration"),
        "shape": .object(["type": "number", "exclusiveMinimum": 0]),
      ], required: ["minimum"],
      also: [
        "oneOf": .list([.object(["required": .list(["p99"])]), .object(["required": .list(["shape"])])])
      ]),
    "sequence": .array(.reference("duration"), isNonEmpty: true),
  ]

  private static func pair(_ first: String, _ second: String) -> SchemaValue {
    .mapping([first: .reference("duration"), second: .reference("duration")], required: [first, second])
  }

  private static let open: SchemaValue = .mapping(
    [
      "model": .words(["open"], "Arrivals come on their own."),
      "arrivals": .words(
        OpenLoad.Arrivals.allCases.map(\.rawValue), "Spacing of arrivals. Default: constant."),
      "stages": .array(.reference("stage"), isNonEmpty: true, "The rate over time."),
      "max-in-flight": .integer(1...Int(Int32.max), "Iterations that may run at once."),
      "at-limit": .words(
        OpenLoad.AtLimit.allCases.map(\.rawValue), "What an arrival at the limit does. Default: drop."),
      "warm-up": warmUp, "drain": drain,
    ], required: ["model", "stages"])

  private static let closed: SchemaValue = .mapping(
    [
      "model": .words(["closed"], "Each user starts the next iteration after the last one ended."),
      "users": .oneOrMany(
        .integer(1...ScenarioLimits.users), "Users; of a rising list, each number in a cell of its own."),
      "think": .reference("distribution", "Pause of a user between iterations."),
      "ramp": .reference("duration", "Users start evenly over this time."),
      "for": .reference("duration", "No iteration starts after this time."),
      "iterations": .integer(1...ScenarioLimits.arrivals, "Iterations in all."),
      "warm-up": warmUp, "drain": drain,
    ], required: ["model", "users"],
    also: [
      "anyOf": .list([.object(["required": .list(["for"])]), .object(["required": .list(["iterations"])])])
    ])

  private static let warmUp: SchemaValue = .reference(
    "duration", "Iterations that start before this time are left out of distributions. Default: 0s.")
  private static let drain: SchemaValue = .reference(
    "duration", "How long iterations may take to end after the last arrival. Default: 1min.")

  private static let failure: SchemaValue = .mapping(
    [
      "kind": .words(FailureScript.Kind.allCases.map(\.rawValue), "How the failure looks to the caller."),
      "share": .reference("share", "A share of calls."),
      "calls": .array(
        .integer(1...Int(Int32.max)), isNonEmpty: true, "Calls by number within the iteration."),
      "every": .integer(1...Int(Int32.max), "Every Nth call within the iteration."),
      "from": .reference("duration", "Start of a window, with `to`."),
      "to": .reference("duration", "End of the window."),
      "after": .reference("duration", "When the failure shows."),
      "after-tokens": .integer(0...Int(Int32.max), "mid-stream only: elements delivered before it."),
    ], required: ["kind"],
    also: [
      "oneOf": .list(["share", "calls", "every", "from"].map { .object(["required": .list([.text($0)])]) }),
      "dependentRequired": .object(["from": .list(["to"]), "to": .list(["from"])]),
    ])
}
