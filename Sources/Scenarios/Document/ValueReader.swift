internal import RunRecords
internal import WorkloadInterface

/// Reads single values with their units; what does not fit is reported where it stands and read as nil.
struct ValueReader {
  let log: DiagnosticLog

  /// A text that must not be empty.
  func text(_ node: DocumentNode, _ name: String) -> String? {
    guard let text = node.text, !node.isNull else {
      log.report("`\(name)` must be a text, not \(node.kindName)", at: node)
      return nil
    }
    return text
  }

  /// A whole number in decimal digits.
  func integer(_ node: DocumentNode, _ name: String, in range: ClosedRange<Int>) -> Int? {
    let allowed = Self.describe(range)
    guard case .scalar(let text, isPlain: true) = node.content, Self.isWhole(text) else {
      log.report("`\(name)` must be a whole number, not \(node.kindName)", at: node, allowed: allowed)
      return nil
    }
    guard let value = Int(text), range.contains(value) else {
      log.report("`\(name)` cannot be \(ScenarioDiagnostic.short(text))", at: node, allowed: allowed)
      return nil
    }
    return value
  }

  /// A seed: a whole number of 64 bits.
  func seed(_ node: DocumentNode, _ name: String) -> UInt64? {
    let allowed = "a whole number from 0 to \(UInt64.max)"
    guard case .scalar(let text, isPlain: true) = node.content, Self.isWhole(text), let value = UInt64(text)
    else {
      log.report("`\(name)` cannot be \(node.kindName)", at: node, allowed: allowed)
      return nil
    }
    return value
  }

  func boolean(_ node: DocumentNode, _ name: String) -> Bool? {
    switch node.content {
    case .scalar("true", isPlain: true): return true
    case .scalar("false", isPlain: true): return false
    default:
      let yes = ["yes", "on", "y", "1", "True", "TRUE"].contains(node.text)
      let no = ["no", "off", "n", "0", "False", "FALSE"].contains(node.text)
      log.report(
        "`\(name)` must be true or false, not \(node.kindName)", at: node, allowed: "true, false",
        nearest: yes ? "true" : no ? "false" : nil)
      return nil
    }
  }

  /// One of some words.
  func choice(_ node: DocumentNode, _ name: String, of words: [String]) -> String? {
    if let text = node.text, words.contains(text) { return text }
    log.report(
      "`\(name)` cannot be \(node.kindName)", at: node, allowed: words.joined(separator: ", "),
      nearest: node.text.flatMap { NearestName.of($0, among: words) })
    return nil
  }

  /// One of an enumeration's words.
  func choice<Word: RawRepresentable & CaseIterable>(
    _ node: DocumentNode, _ name: String, _ type: Word.Type
  ) -> Word? where Word.RawValue == String {
    choice(node, name, of: Word.allCases.map(\.rawValue)).flatMap(Word.init(rawValue:))
  }

  /// A duration in ns.
  func duration(_ node: DocumentNode, _ name: String, atLeast least: Int64 = 0) -> Int64? {
    guard
      let value = figure(
        node, name, "a duration with a unit: ns, us, ms, s, min or h, e.g. `250ms`", UnitText.duration)
    else { return nil }
    guard value >= least, value <= ScenarioLimits.longest else {
      let bound = value < least ? "at least \(FigureText.duration(least))" : "at most 100 years"
      log.report("`\(name)` cannot be \(node.text ?? "")", at: node, allowed: bound)
      return nil
    }
    return value
  }

  /// A rate.
  func rate(_ node: DocumentNode, _ name: String) -> Rate? {
    figure(node, name, "a number of starts per time, e.g. `40/s` or `2/min`", UnitText.rate)
  }

  /// A share from 0 to 1.
  func share(_ node: DocumentNode, _ name: String) -> Double? {
    figure(node, name, "a percentage from 0% to 100%, e.g. `5%`", UnitText.share)
  }

  private func figure<Value>(
    _ node: DocumentNode, _ name: String, _ allowed: String,
    _ read: (String) throws(UnitText.Failure) -> Value
  ) -> Value? {
    guard let text = node.text, !node.isNull else {
      log.report("`\(name)` cannot be \(node.kindName)", at: node, allowed: allowed)
      return nil
    }
    guard text.unicodeScalars.count <= 60 else {
      log.report("`\(name)` cannot be \(node.kindName)", at: node, allowed: allowed)
      return nil
    }
    do {
      return try read(text)
    } catch {
      // The advice of the message is what `allowed` says anyway.
      let fault = error.message.split(separator: ": write").first ?? ""
      log.report("`\(name)`: \(fault)", at: node, allowed: allowed)
      return nil
    }
  }

  /// The elements of a list; with `orOne`, a single value counts as a list of one.
  func list(_ node: DocumentNode, _ name: String, orOne: Bool = false, mayBeEmpty: Bool = true)
    -> [DocumentNode]?
  {
    switch node.content {
    case .sequence(let elements):
      if elements.isEmpty, !mayBeEmpty {
        log.report("`\(name)` is empty", at: node, allowed: "at least one element")
        return nil
      }
      return elements
    case .scalar, .mapping:
      if orOne, !node.isNull { return [node] }
      log.report("`\(name)` must be a list, not \(node.kindName)", at: node)
      return nil
    }
  }

  private static func isWhole(_ text: String) -> Bool {
    let digits = text.first == "-" ? text.dropFirst() : text[...]
    return !digits.isEmpty && digits.utf8.allSatisfy { (48...57).contains($0) }
  }

  private static func describe(_ range: ClosedRange<Int>) -> String {
    range.upperBound == .max
      ? "a whole number of at least \(range.lowerBound)"
      : "a whole number from \(range.lowerBound) to \(range.upperBound)"
  }
}

/// Bounds that keep a slip from asking for more than any machine can do.
enum ScenarioLimits {
  /// The longest duration, in ns: 100 years.
  static let longest: Int64 = 3_155_760_000_000_000_000
  /// The most arrivals or iterations that one cell may plan.
  static let arrivals = 1_000_000_000
  /// The most users of a closed load.
  static let users = 1_000_000
  /// The most repetitions of a cell.
  static let repetitions = 10_000
}
