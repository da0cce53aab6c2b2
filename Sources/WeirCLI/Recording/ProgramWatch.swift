internal import Glibc
internal import RuntimeProbe

/// Waits for the recorded program: passes signals on, opens and closes windows, stops the recording in time.
struct ProgramWatch {
  /// The program.
  let process: pid_t
  /// Where the probe's files are, without number.
  let prefix: String
  /// When it was started, CLOCK_MONOTONIC in ns.
  let start: Int64
  /// When to stop recording, in ns after the start; nil: at its end.
  let limit: Int64?
  /// Tells who else has had a signal; nil where it could not be made.
  let witness: GroupWitness?
  /// When the program was there to be sent signals, CLOCK_MONOTONIC in ns.
  let launched = MonotonicTime.now()

  /// How the program ended.
  struct Ending {
    /// As `wait` tells it.
    var status: Int32 = 0
    var usage = rusage()
    var wall: Int64 = 0
    /// When it was seen to have ended, CLOCK_MONOTONIC in ns.
    var end: Int64 = 0
    /// Images of the program as last seen from outside, by its number.
    var maps: [Int: String] = [:]
    var warnings: [String] = []
  }

  /// The signals that are passed on when they were sent to this process alone.
  static let passed = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR2, SIGALRM, SIGCONT]
  /// All that are waited for.
  static var waited: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in passed + [SIGUSR1, SIGCHLD] { sigaddset(&set, number) }
    return set
  }

  private static let firstPoll: Int64 = 20_000_000
  private static let slowestPoll: Int64 = 1_000_000_000

  /// Waits until the program has ended. The signals of `waited` are blocked in every thread.
  func wait() -> Ending {
    var ending = Ending()
    var poll = Self.firstPoll
    var isStopped = false
    // A window that was asked for before anything was counted.
    var isWindowDue = false
    while true {
      let ended = wait4(process, &ending.status, WNOHANG, &ending.usage)
      if ended == process || (ended < 0 && errno == ECHILD) { break }
      keepMaps(&ending)
      if isWindowDue, Recording.ask(.snapshot, files) { isWindowDue = false }
      var pause = isWindowDue ? Self.firstPoll : poll
      if let limit, !isStopped {
        let left = limit - (MonotonicTime.now() - start)
        if left <= 0 {
          isStopped = true
          if !Recording.ask(.stop, files) {
            ending.warnings.append("nothing was counting when the time was over")
          }
        } else {
          pause = min(pause, left)
        }
      }
      var information = siginfo_t()
      var set = Self.waited
      var time = timespec(tv_sec: Int(pause / 1_000_000_000), tv_nsec: Int(pause % 1_000_000_000))
      let number = sigtimedwait(&set, &information, &time)
      if number == SIGUSR1, isStopped {
        StandardStreams.error("weir: the recording is over: there is no window to open or to close\n")
      } else if number == SIGUSR1 {
        isWindowDue = !isWindowDue && !Recording.ask(.snapshot, files)
        if isWindowDue {
          StandardStreams.error("weir: nothing is counted yet: the window opens as soon as something is\n")
        }
      } else if number > 0 {
        take(number, information)
      }
      poll = min(poll * 2, Self.slowestPoll)
    }
    if isWindowDue { ending.warnings.append("a window was asked for, and nothing was ever counted") }
    ending.end = MonotonicTime.now()
    ending.wall = ending.end - start
    return ending
  }

  /// The number of the program that the process is now.
  private var number: Int {
    var number = 1
    while access(Recording.Files(prefix: prefix, number: number + 1).control, F_OK) == 0 { number += 1 }
    return number
  }

  private var files: Recording.Files { Recording.Files(prefix: prefix, number: number) }

  private func keepMaps(_ ending: inout Ending) {
    guard access(files.control, F_OK) == 0, let text = try? FileSystem.read("/proc/\(process)/maps"),
      !text.isEmpty
    else { return }
    ending.maps[number] = text
  }

  /// Passes a signal on, unless the program has had it.
  private func take(_ number: Int32, _ information: siginfo_t) {
    if number != SIGCHLD, !hasHad(number, information) { kill(process, number) }
  }

  /// Whether the program has had the signal too, or is not to.
  ///
  /// A signal to the whole group has reached the program as well, one to this process alone has not. The sender tells
  /// nothing: a script or a supervisor that sends to one process is often in the group itself. What tells is whether
  /// a third member of the group, the witness, has had it. Where it is not known the signal is passed on: one that
  /// comes twice is less bad than one that never comes.
  private func hasHad(_ number: Int32, _ information: siginfo_t) -> Bool {
    let isSent = information.si_code <= 0
    // What the program sends to its parent is not meant for itself.
    if isSent, information._sifields._kill.si_pid == process { return true }
    let isKey = !isSent && (number == SIGINT || number == SIGQUIT)
    // Of a group that the program has left: keys of the terminal would not have reached it without us either.
    if getpgid(process) != getpgrp() { return isKey }
    return witness?.hasHad(number, since: launched) ?? isKey
  }
}
