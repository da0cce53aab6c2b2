public import SeededDraws

/// A setting that a workload declares: its key, its type, its default.
public struct ParameterDeclaration: Sendable {
  /// What values it takes.
  public indirect enum Kind: Sendable {
    /// A whole number within a range.
    case integer(ClosedRange<Int>)
    /// A share from 0 % to 100 %.
    case share
    /// A duration such as `250ms`, at least this many ns.
    case duration(atLeast: Int64)
    /// A distribution of durations such as `{ lognormal: { median: 1s, p99: 6s } }`.
    case distribution
    /// One of some words.
    case choice([String])
    /// `true` or `false`.
    case boolean
    /// A mapping with keys of its own.
    case record([ParameterDeclaration])
  }

  /// The key.
  public var name: String
  /// What values it takes.
  public var kind: Kind
  /// The value where a scenario gives none; nil means it is absent then.
  public var defaultValue: ParameterValue?
  /// One sentence for people.
  public var about: String

  /// Makes a declaration.
  public init(_ name: String, _ kind: Kind, default defaultValue: ParameterValue? = nil, about: String) {
    self.name = name
    self.kind = kind
    self.defaultValue = defaultValue
    self.about = about
  }
}

/// A checked value of a declared parameter.
public enum ParameterValue: Sendable, Codable, Hashable {
  /// A whole number.
  case integer(Int)
  /// A share from 0 to 1.
  case share(Double)
  /// A duration in ns.
  case duration(Int64)
  /// A distribution of durations in ns.
  case distribution(Distribution)
  /// One of the declared words.
  case choice(String)
  /// True or false.
  case boolean(Bool)
  /// A mapping.
  case record(ParameterValues)
}

/// Checked values by key, with typed access.
public struct ParameterValues: Sendable, Codable, Hashable {
  /// The values by key.
  public var values: [String: ParameterValue]

  /// Wraps checked values.
  public init(_ values: [String: ParameterValue]) { self.values = values }

  /// The whole number at `key`; nil when it is absent or of another type.
  public func integer(_ key: String) -> Int? {
    if case .integer(let value)? = values[key] { value } else { nil }
  }

  /// The share (0…1) at `key`.
  public func share(_ key: String) -> Double? {
    if case .share(let value)? = values[key] { value } else { nil }
  }

  /// The duration in ns at `key`.
  public func duration(_ key: String) -> Int64? {
    if case .duration(let value)? = values[key] { value } else { nil }
  }

  /// The distribution at `key`.
  public func distribution(_ key: String) -> Distribution? {
    if case .distribution(let value)? = values[key] { value } else { nil }
  }

  /// The word at `key`.
  public func choice(_ key: String) -> String? {
    if case .choice(let value)? = values[key] { value } else { nil }
  }

  /// The flag at `key`.
  public func boolean(_ key: String) -> Bool? {
    if case .boolean(let value)? = values[key] { value } else { nil }
  }

  /// The mapping at `key`.
  public func record(_ key: String) -> ParameterValues? {
    if case .record(let value)? = values[key] { value } else { nil }
  }
}
