/// The identity of one candidate, unique within one story.
///
/// It comes from an injected ``IdentifierSource``, never from `UUID()`, so that a run can be repeated.
public struct CandidateID: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
  /// The number itself; any `UInt64`.
  public let rawValue: UInt64

  /// An identity with the given number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// Orders by number.
  public static func < (left: CandidateID, right: CandidateID) -> Bool { left.rawValue < right.rawValue }

  /// `candidate-` and the number in hexadecimal.
  public var description: String { "candidate-" + String(rawValue, radix: 16) }

  /// Reads the bare number.
  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(UInt64.self)
  }

  /// Writes the bare number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
