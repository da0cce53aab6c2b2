internal import Glibc

/// Whether texts for people carry colour.
enum Colour {
  /// The choice of `--color`; by itself colour goes to terminals alone, and to none where NO_COLOR is set.
  static func isUsed(_ choice: String?, on descriptor: Int32) -> Bool {
    switch choice {
    case "always": true
    case "never": false
    default: (environment("NO_COLOR") ?? "").isEmpty && StandardStreams.isTerminal(descriptor)
    }
  }
}
