internal import Foundation

/// A JSON value of the editor schema.
enum SchemaValue: Sendable, Encodable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral
{
  case text(String)
  case whole(Int)
  case flag(Bool)
  case list([SchemaValue])
  case object([String: SchemaValue])

  init(stringLiteral value: String) { self = .text(value) }
  init(booleanLiteral value: Bool) { self = .flag(value) }
  init(integerLiteral value: Int) { self = .whole(value) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let value): try container.encode(value)
    case .whole(let value): try container.encode(value)
    case .flag(let value): try container.encode(value)
    case .list(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }

  /// The value as text, keys sorted, so that equal schemas are equal bytes.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Texts, whole numbers and flags always encode.
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  // The forms that the schema is made of.

  static func words(_ words: [String], _ about: String? = nil) -> SchemaValue {
    described(["enum": .list(words.map(SchemaValue.text))], about)
  }

  static func integer(_ range: ClosedRange<Int>, _ about: String? = nil) -> SchemaValue {
    var form: [String: SchemaValue] = ["type": "integer", "minimum": .whole(range.lowerBound)]
    if range.upperBound < .max { form["maximum"] = .whole(range.upperBound) }
    return described(form, about)
  }

  static func reference(_ name: String, _ about: String? = nil) -> SchemaValue {
    described(["$ref": .text("#/$defs/\(name)")], about)
  }

  static func pattern(_ pattern: String, _ about: String) -> SchemaValue {
    described(["type": "string", "pattern": .text(pattern)], about)
  }

  static func array(_ element: SchemaValue, isNonEmpty: Bool = false, _ about: String? = nil) -> SchemaValue {
    var form: [String: SchemaValue] = ["type": "array", "items": element]
    if isNonEmpty { form["minItems"] = 1 }
    return described(form, about)
  }

  static func oneOrMany(_ element: SchemaValue, _ about: String? = nil) -> SchemaValue {
    described(["anyOf": .list([element, array(element, isNonEmpty: true)])], about)
  }

  static func mapping(
    _ properties: [String: SchemaValue], required: [String] = [], _ about: String? = nil,
    also: [String: SchemaValue] = [:]
  ) -> SchemaValue {
    var form: [String: SchemaValue] = [
      "type": "object", "properties": .object(properties), "additionalProperties": false,
    ]
    if !required.isEmpty { form["required"] = .list(required.map(SchemaValue.text)) }
    return described(form.merging(also) { $1 }, about)
  }

  private static func described(_ form: [String: SchemaValue], _ about: String?) -> SchemaValue {
    guard let about else { return .object(form) }
    return .object(form.merging(["description": .text(about)]) { $1 })
  }
}
