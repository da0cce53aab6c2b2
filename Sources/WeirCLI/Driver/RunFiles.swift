internal import Foundation

/// JSON between the driver and its cells.
enum RunFiles {
  /// A value as JSON, keys sorted.
  static func encode(_ value: some Encodable) throws(WorkFailure) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw WorkFailure("cannot write \(type(of: value)) as JSON: \(error)")
    }
  }

  /// A value as JSON for people, keys sorted, a line's end at the end.
  static func encodePretty(_ value: some Encodable) throws(WorkFailure) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    } catch {
      throw WorkFailure("cannot write \(type(of: value)) as JSON: \(error)")
    }
  }

  /// A value from a JSON file.
  ///
  /// - Throws: `WorkFailure` when the file cannot be read or holds something else.
  static func decode<Value: Decodable>(_ type: Value.Type, _ path: String) throws(WorkFailure) -> Value {
    let bytes = try FileSystem.bytes(path)
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw WorkFailure("\(path) cannot be used: \(error)")
    }
  }
}
