package import Foundation
package import RunRecords

/// `run.json`: the record itself. Equal records give equal bytes.
package enum RunJSON {
  /// A record that cannot be read.
  package struct Failure: Error, Sendable, Equatable {
    /// What is wrong, where, and what to do.
    package let message: String
  }

  /// Writes a record: keys in order, the format first, arrays of plain numbers on one line, a line's end at the end.
  ///
  /// - Throws: `Failure` if a figure is no number, which the record's own types rule out.
  package static func encode(_ run: RunRecord) throws(Failure) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let data: Data
    do { data = try encoder.encode(run) } catch {
      throw Failure(message: "the record cannot be written: \(error)")
    }
    return Data(NumberArrays.joined(withFormatFirst(data, format: run.format)) + [10])
  }

  /// Readers and `file` should see at once what this is: the format's line goes to the top.
  private static func withFormatFirst(_ data: Data, format: String) -> [UInt8] {
    let line = Array("\n  \"format\" : \"\(format)\",".utf8)
    let bytes = Array(data)
    guard let range = bytes.firstRange(of: line), let brace = bytes.first else { return bytes }
    return [brace] + line + bytes[1..<range.lowerBound] + bytes[range.upperBound...]
  }

  /// Reads a record.
  ///
  /// - Parameter path: Where the data is from, for the message.
  /// - Throws: `Failure` for another format or version, for data cut off (with the byte where it ends), and for
  ///   what is no record.
  package static func decode(_ data: Data, path: String) throws(Failure) -> RunRecord {
    if let end = JSONEnd.missing(in: data) { throw Failure(message: "\(path) is unreadable: \(end)") }
    struct Header: Decodable { var format: String? }
    let decoder = JSONDecoder()
    do {
      guard let format = try decoder.decode(Header.self, from: data).format else {
        throw Failure(message: "\(path) is no run record: it has no `format`")
      }
      guard format == RunRecord.currentFormat else {
        throw Failure(
          message:
            "\(path) has the format `\(format)`; this weir reads `\(RunRecord.currentFormat)`: run the scenario again, or use the weir that wrote it"
        )
      }
      return try decoder.decode(RunRecord.self, from: data)
    } catch let failure as Failure {
      throw failure
    } catch let error as DecodingError {
      throw Failure(message: "\(path) is unreadable: \(words(error))")
    } catch {
      throw Failure(message: "\(path) is unreadable: \(error)")
    }
  }

  private static func words(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context): "`\(key.stringValue)` is missing\(place(context))"
    case .valueNotFound(_, let context), .typeMismatch(_, let context):
      "a value of another kind was expected\(place(context))"
    case .dataCorrupted(let context): "\(detail(context))\(place(context))"
    @unknown default: "\(error)"
    }
  }

  private static func detail(_ context: DecodingError.Context) -> String {
    guard let cause = context.underlyingError as NSError? else { return context.debugDescription }
    return cause.userInfo[NSDebugDescriptionErrorKey] as? String ?? context.debugDescription
  }

  private static func place(_ context: DecodingError.Context) -> String {
    guard !context.codingPath.isEmpty else { return "" }
    return " at "
      + context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }
}
