internal import Glibc

/// Signals that end processes: their names, and whose fault they are.
package enum SignalName {
  private static let known: [Int32: String] = [
    SIGABRT: "SIGABRT", SIGALRM: "SIGALRM", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGHUP: "SIGHUP",
    SIGILL: "SIGILL", SIGINT: "SIGINT", SIGKILL: "SIGKILL", SIGPIPE: "SIGPIPE", SIGQUIT: "SIGQUIT",
    SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGXCPU: "SIGXCPU",
    SIGXFSZ: "SIGXFSZ",
  ]

  /// What a process brings upon itself by what its code does. All others come from outside: from the kernel where
  /// memory or processor time is short, or from somebody.
  private static let ofCode: Set<Int32> = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP]

  /// Whether the process's own code has brought it about: a crash, and nothing that was done to it.
  package static func isOfCode(_ number: Int32) -> Bool { ofCode.contains(number) }

  /// E.g. `SIGILL (4)`, with the usual cause where there is one.
  package static func of(_ number: Int32) -> String {
    let name = known[number] ?? "signal"
    let cause =
      switch number {
      case SIGILL, SIGTRAP: ": a Swift runtime failure, such as a failed precondition"
      case SIGKILL: ": killed from outside, perhaps for want of memory"
      case SIGXCPU: ": its limit of processor time was used up"
      case SIGXFSZ: ": a file would have grown beyond its limit"
      case _ where !isOfCode(number): ": from outside"
      default: ""
      }
    return "\(name) (\(number))\(cause)"
  }
}
