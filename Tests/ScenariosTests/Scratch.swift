import Foundation

/// A directory of its own for one test, removed afterwards.
struct Scratch {
  let path: String

  static func use(_ body: (Scratch) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "scenarios-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(Scratch(path: path))
  }

  func write(_ name: String, _ text: String) throws -> String {
    let file = path + "/" + name
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }
}
