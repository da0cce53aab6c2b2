internal import WorkloadInterface

/// Reads `load:`.
struct LoadReader {
  let log: DiagnosticLog
  private var values: ValueReader { ValueReader(log: log) }

  init(log: DiagnosticLog) { self.log = log }

  static let common = ["model", "warm-up", "drain"]
  static let open = ["arrivals", "stages", "max-in-flight", "at-limit"]
  static let closed = ["users", "think", "ramp", "for", "iterations"]

  /// Reads a load; nil when anything in it is at fault.
  func read(_ node: DocumentNode) -> LoadDescription? {
    guard let mapping = MappingReader(node, "`load`", keys: Self.common + Self.open + Self.closed, log: log)
    else { return nil }
    let faults = log.diagnostics.count
    let model = mapping.require("model", "open, closed").flatMap {
      values.choice($0, "model", of: ["open", "closed"])
    }
    let isClosed = model.map { $0 == "closed" } ?? (mapping["users"] != nil)
    if model != nil {
      mapping.refuse(
        isClosed ? Self.open : Self.closed,
        because: "has no meaning in a load of model \(isClosed ? "closed" : "open")")
    }
    let warmUp = mapping["warm-up"].map { values.duration($0, "warm-up") } ?? 0
    let standardDrain = LoadDescription(model: .closed(ClosedLoad(users: 1, iterations: 1))).drain
    let drain = mapping["drain"].map { values.duration($0, "drain") } ?? standardDrain
    let read = isClosed ? closed(mapping) : open(mapping)
    if let read, let warmUp, let length = length(of: read), warmUp > 0, warmUp >= length {
      log.report(
        "`warm-up` takes up the whole load, which is \(FigureText.duration(length)) long: nothing is measured",
        at: mapping["warm-up"] ?? node, allowed: "less than \(FigureText.duration(length))")
    }
    guard let read, let warmUp, let drain, log.diagnostics.count == faults else { return nil }
    return LoadDescription(model: read, warmUp: warmUp, drain: drain)
  }

  private func length(of model: LoadModel) -> Int64? {
    switch model {
    case .open(let load): load.stages.reduce(0) { $0 + $1.duration }
    case .closed(let load): load.duration
    }
  }

  private func open(_ mapping: MappingReader) -> LoadModel? {
    let arrivals =
      mapping["arrivals"].map { values.choice($0, "arrivals", OpenLoad.Arrivals.self) } ?? .constant
    let atLimit = mapping["at-limit"].map { values.choice($0, "at-limit", OpenLoad.AtLimit.self) } ?? .drop
    var limit: Int?
    if let node = mapping["max-in-flight"] {
      limit = values.integer(node, "max-in-flight", in: 1...Int(Int32.max))
    } else if let node = mapping["at-limit"] {
      log.report("`at-limit` has no meaning without `max-in-flight`", at: node)
    }
    let form = "a list such as [{ for: 10s, rate: 20/s }]"
    guard let node = mapping.require("stages", form), let stages = stages(node, form), let arrivals,
      let atLimit
    else { return nil }
    return .open(OpenLoad(arrivals: arrivals, stages: stages, maxInFlight: limit, atLimit: atLimit))
  }

  private func stages(_ node: DocumentNode, _ form: String) -> [LoadStage]? {
    guard let elements = values.list(node, "stages", mayBeEmpty: false) else { return nil }
    let stages = elements.compactMap(stage)
    guard stages.count == elements.count else { return nil }
    var length: Int64 = 0
    var arrivals = 0.0
    for stage in stages {
      let (sum, isTooLong) = length.addingReportingOverflow(stage.duration)
      guard !isTooLong, sum <= ScenarioLimits.longest else {
        log.report("the stages are too long together", at: node, allowed: "at most 100 years")
        return nil
      }
      length = sum
      let mean = (stage.rate.perSecond + (stage.to ?? stage.rate).perSecond) / 2
      arrivals += mean * Double(stage.duration) / 1e9
    }
    guard stages.contains(where: { $0.rate.millionths > 0 || ($0.to?.millionths ?? 0) > 0 }) else {
      log.report(
        "the rate is 0 in every stage: nothing would start", at: node, allowed: "a rate above 0/s in one")
      return nil
    }
    guard arrivals <= Double(ScenarioLimits.arrivals) else {
      log.report(
        "the stages plan \(Int64(min(arrivals, 1e18))) arrivals", at: node,
        allowed: "at most \(ScenarioLimits.arrivals)")
      return nil
    }
    return stages
  }

  private func stage(_ node: DocumentNode) -> LoadStage? {
    let form = "{ for: 10s, rate: 20/s }, or with `to: 80/s` for a ramp"
    guard let mapping = MappingReader(node, "a stage", keys: ["for", "rate", "to"], log: log) else {
      return nil
    }
    let length = mapping.require("for", form).flatMap { values.duration($0, "for", atLeast: 1) }
    let rate = mapping.require("rate", form).flatMap { values.rate($0, "rate") }
    var to: Rate?
    if let node = mapping["to"] {
      to = values.rate(node, "to")
      guard to != nil else { return nil }
    }
    guard let length, let rate else { return nil }
    return LoadStage(duration: length, rate: rate, to: to)
  }

  private func closed(_ mapping: MappingReader) -> LoadModel? {
    let levels = mapping.require(
      "users", "a whole number from 1 to \(ScenarioLimits.users), or a list of some"
    )
    .flatMap(users)
    let think = mapping["think"].flatMap { DistributionReader(log: log).read($0, "think") }
    let ramp = mapping["ramp"].map { values.duration($0, "ramp") } ?? 0
    let duration = mapping["for"].flatMap { values.duration($0, "for", atLeast: 1) }
    let iterations = mapping["iterations"]
      .flatMap { values.integer($0, "iterations", in: 1...ScenarioLimits.arrivals) }
    if mapping["for"] == nil, mapping["iterations"] == nil {
      log.report(
        "`load` would never end", at: mapping.node.position,
        allowed: "`for: 30s`, `iterations: 1000`, or both")
    }
    if let ramp, let duration, ramp > 0, ramp >= duration, let node = mapping["ramp"] {
      log.report(
        "`ramp` is not shorter than the load", at: node, allowed: "less than \(FigureText.duration(duration))"
      )
    }
    guard let levels, let users = levels.first, let ramp else { return nil }
    return .closed(
      ClosedLoad(
        users: users, sweep: levels.count > 1 ? levels : [], think: think, ramp: ramp, duration: duration,
        iterations: iterations))
  }

  /// One number of users, or the rising numbers of a sweep.
  private func users(_ node: DocumentNode) -> [Int]? {
    guard let elements = values.list(node, "users", orOne: true, mayBeEmpty: false) else { return nil }
    let read = elements.compactMap { values.integer($0, "users", in: 1...ScenarioLimits.users) }
    guard read.count == elements.count else { return nil }
    if let slip = read.indices.dropLast().first(where: { read[$0] >= read[$0 + 1] }) {
      log.report(
        "`users` must rise from cell to cell, and \(read[slip + 1]) follows \(read[slip])",
        at: elements[slip + 1],
        allowed: "e.g. [1, 4, 16, 64]")
      return nil
    }
    return read
  }
}
