internal import WorkloadInterface

/// Reads values against declared parameters: of `behaviour:`, of a strategy, and of mappings within them.
struct ParameterReader {
  let log: DiagnosticLog
  private var values: ValueReader { ValueReader(log: log) }

  init(log: DiagnosticLog) { self.log = log }

  /// The declared parameters as the mapping gives them, defaults filled in; nil when any is at fault.
  /// `extra` are keys that mean something to the caller.
  func read(
    _ node: DocumentNode, _ name: String, _ declared: [ParameterDeclaration], extra: [String] = []
  ) -> (values: ParameterValues, mapping: MappingReader)? {
    let faults = log.diagnostics.count
    guard let mapping = MappingReader(node, name, keys: declared.map(\.name) + extra, log: log) else {
      return nil
    }
    var read = Self.defaults(declared)
    for parameter in declared {
      guard let node = mapping[parameter.name] else { continue }
      read.values[parameter.name] = value(node, parameter)
    }
    return log.diagnostics.count == faults ? (read, mapping) : nil
  }

  /// The values where a scenario gives none.
  static func defaults(_ declared: [ParameterDeclaration]) -> ParameterValues {
    var values: [String: ParameterValue] = [:]
    for parameter in declared {
      if let value = parameter.defaultValue { values[parameter.name] = filled(value, parameter.kind) }
    }
    return ParameterValues(values)
  }

  /// A default mapping with the defaults of its own keys below it.
  private static func filled(_ value: ParameterValue, _ kind: ParameterDeclaration.Kind) -> ParameterValue {
    guard case .record(let given) = value, case .record(let declared) = kind else { return value }
    var all = defaults(declared).values
    for parameter in declared {
      if let value = given.values[parameter.name] { all[parameter.name] = filled(value, parameter.kind) }
    }
    return .record(ParameterValues(all))
  }

  private func value(_ node: DocumentNode, _ parameter: ParameterDeclaration) -> ParameterValue? {
    let name = parameter.name
    switch parameter.kind {
    case .integer(let range): return values.integer(node, name, in: range).map(ParameterValue.integer)
    case .share: return values.share(node, name).map(ParameterValue.share)
    case .duration(let least): return values.duration(node, name, atLeast: least).map(ParameterValue.duration)
    case .distribution: return DistributionReader(log: log).read(node, name).map(ParameterValue.distribution)
    case .choice(let words): return values.choice(node, name, of: words).map(ParameterValue.choice)
    case .boolean: return values.boolean(node, name).map(ParameterValue.boolean)
    case .record(let declared):
      return read(node, "`\(name)`", declared).map { ParameterValue.record($0.values) }
    }
  }
}
