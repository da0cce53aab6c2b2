internal import Glibc

/// A command line that was understood.
struct Invocation: Sendable {
  /// The command; nil when none was given.
  var command: CommandDeclaration?
  /// What is no option, without the command.
  var operands: [String] = []
  /// The values given, by the option's long name; a flag has one empty value.
  var values: [String: [String]] = [:]

  /// Whether the option was given.
  func has(_ option: OptionDeclaration) -> Bool { values[option.name] != nil }

  /// The option's value; nil when it was not given.
  func value(_ option: OptionDeclaration) -> String? { values[option.name]?.last }

  /// All values of a repeatable option, in order.
  func all(_ option: OptionDeclaration) -> [String] { values[option.name] ?? [] }

  /// The parts of a list option.
  func list(_ option: OptionDeclaration) -> [String] {
    all(option).flatMap { $0.split(separator: ",").map(String.init) }
  }
}

/// A command line, or a thing it names, that cannot be used; the process exits with 64.
struct UsageError: Error, Sendable, Equatable {
  /// What is wrong and what is allowed.
  var message: String
  /// The nearest thing that would do.
  var nearest: String?
  /// The command whose help says more.
  var command: String?

  /// Makes an error.
  init(_ message: String, nearest: String? = nil, command: String? = nil) {
    self.message = message
    self.nearest = nearest
    self.command = command
  }

  /// As printed on the standard error.
  var text: String {
    let hint = nearest.map { "; did you mean `\($0)`?" } ?? ""
    let help = command.map { "`weir help \($0)`" } ?? "`weir help`"
    return "weir: \(message)\(hint)\nSee \(help).\n"
  }
}

/// Work that could not be done, though the command line was right; the process exits with 1, or where files of a run
/// could not be written with the code of `invalid`.
struct WorkFailure: Error, Sendable, Equatable {
  /// What failed, on what, and why.
  var message: String
  /// The system's error number of a file that could not be written; nil for all other failures.
  var unwritten: Int32?

  /// Makes an error.
  init(_ message: String) { self.message = message }

  /// Makes an error of a file that could not be written.
  init(_ message: String, unwritten: Int32) {
    self.message = message
    self.unwritten = unwritten
  }

  /// What to do where a file could not be written.
  static let makeRoom = "make room there, or choose another --out, and run it again"

  /// Whether nothing can ever be written there: no matter of room, but of the place that was chosen.
  var isOfPlace: Bool {
    let numbers = [EACCES, EPERM, EROFS, ENOTDIR, ENAMETOOLONG, ELOOP, ENOENT, EISDIR]
    return unwritten.map(numbers.contains) ?? false
  }
}
