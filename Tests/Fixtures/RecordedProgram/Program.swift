import Glibc

/// A program that knows nothing of Weir, in as many shapes as a recorded program may have: `recorded-program SHAPE
/// [NUMBER]`.
@main struct RecordedProgram {
  static func main() async {
    let shape = CommandLine.arguments.dropFirst().first ?? "hops"
    let number = CommandLine.arguments.dropFirst(2).first.flatMap(Int.init) ?? 1_000
    await count(number)
    switch shape {
    case "hops": print("counted \(number)")
    case "status": exit(Int32(truncatingIfNeeded: number))
    case "at-once": _exit(3)
    case "leak": await leak()
    case "leak-killed":
      await leak()
      // The probe looks once a second.
      try? await Task.sleep(for: .milliseconds(2_200))
      kill(getpid(), SIGKILL)
    case "trap": crash(number)
    case "abort": abort()
    case "killed": kill(getpid(), SIGKILL)
    case "ended": kill(getpid(), SIGTERM)
    case "limited": writeBeyondLimit()
    case "fork": forked()
    case "spawn": spawned()
    case "exec": become([CommandLine.arguments[0], "hops", "\(number * 2)"])
    case "exec-other": become(["/bin/sh", "-c", "echo \"$LD_PRELOAD$WEIR_RECORDING\" gone; exit 9"])
    case "exec-missing":
      become(["/nonexistent/program"])
      print("still here")
    case "closed":
      for descriptor in 0..<256 { close(Int32(descriptor)) }
      await count(number)
      exit(4)
    case "deaf": await deaf()
    case "windows": await windows(number)
    case "two-windows":
      await markWindow()
      await count(77)
      await markWindow()
      await Slow().hold(milliseconds: 60)
      await markWindow()
      await count(33)
      await Slow().hold(milliseconds: 20)
      await markWindow()
      await count(number)
    case "open-window":
      await markWindow()
      await count(33)
      await count(number)
    case "wait":
      print("waiting")
      fflush(nil)
      await leak()
      while true { try? await Task.sleep(for: .milliseconds(10)) }
    case "busy":
      print("busy")
      fflush(nil)
      for _ in 0..<number {
        await count(10)
        try? await Task.sleep(for: .milliseconds(10))
      }
    case "own-signal":
      signal(SIGUSR1) { _ in }
      kill(getpid(), SIGUSR1)
      await count(number)
    case "signals": await countSignals()
    case "blocked": await blocked(milliseconds: number, waiters: 5)
    case "held-window": await heldWindow()
    case "echo":
      while let line = readLine() { print(line) }
    default: exit(64)
    }
  }
}

/// What is hopped onto.
actor Counter {
  private var value = 0
  func increment() { value += 1 }
}

/// Blocks its thread, held by others before: its holds are all timed.
actor Slow {
  private var calls = 0
  func hold(milliseconds: UInt32) {
    usleep(milliseconds * 1_000)
    calls += 1
  }
}

@inline(never) func leaveActor() {}

/// `number` hops onto a counter, from a task that belongs to no actor.
func count(_ number: Int) async {
  await Task.detached {
    let counter = Counter()
    for _ in 0..<number {
      await counter.increment()
      leaveActor()
    }
  }.value
}

/// Three tasks that nobody waits for, one of them cancelled in vain, and one that has ended and is kept.
func leak() async {
  for _ in 0..<2 { forget() }
  let deaf = Task { await Gate().wait() }
  deaf.cancel()
  // They shall have come to their waiting.
  try? await Task.sleep(for: .milliseconds(50))
}

func forget() {
  Task { await Gate().wait() }
}

/// Opens never.
actor Gate {
  func wait() async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      kept.append(continuation)
    }
  }
  private var kept: [UnsafeContinuation<Void, Never>] = []
}

/// Writes to a file that may not grow, on a thread that takes the signal: those of the pool block it.
func writeBeyondLimit() {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGXFSZ)
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  var limit = rlimit(rlim_cur: 0, rlim_max: 0)
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  let file = tmpfile()
  fputs("x", file)
  fflush(file)
}

func crash(_ number: Int) {
  precondition(number < 0, "this number is not negative")
}

func forked() {
  let child = fork()
  if child == 0 {
    print("child: \(getenv("LD_PRELOAD").map { String(cString: $0) } ?? "no preload")")
    fflush(nil)
    _exit(0)
  }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  print("parent")
}

func spawned() {
  var child: pid_t = 0
  let arguments: [UnsafeMutablePointer<CChar>?] = [
    strdup("sh"), strdup("-c"), strdup("echo child: ${LD_PRELOAD-no preload} ${WEIR_RECORDING-no request}"),
    nil,
  ]
  posix_spawn(&child, "/bin/sh", nil, nil, arguments, environ)
  var status: Int32 = 0
  waitpid(child, &status, 0)
}

func become(_ command: [String]) {
  let arguments = command.map { strdup($0) } + [nil]
  fflush(nil)
  execv(command[0], arguments)
}

func deaf() async {
  signal(SIGINT, SIG_IGN)
  print("deaf")
  fflush(nil)
  kill(getpid(), SIGINT)
  try? await Task.sleep(for: .milliseconds(300))
  await count(10)
}

/// Hops before, within and after a window that it opens and closes itself.
func windows(_ number: Int) async {
  await markWindow()
  await count(77)
  await markWindow()
  await count(number)
}

/// Opens or closes a window, and gives the probe time for it.
func markWindow() async {
  try? await Task.sleep(for: .milliseconds(200))
  kill(getpid(), SIGUSR1)
  try? await Task.sleep(for: .milliseconds(200))
}

/// How often SIGINT and SIGTERM came, half a second after the first.
nonisolated(unsafe) var signalCount: Int32 = 0

func countSignals() async {
  for number in [SIGINT, SIGTERM] { signal(number) { _ in signalCount += 1 } }
  print("ready")
  fflush(nil)
  for _ in 0..<1_000 where signalCount == 0 { usleep(10_000) }
  for _ in 0..<50 { usleep(10_000) }
  exit(40 + signalCount)
}

/// One call that blocks its thread for long, first come and so not timed, and others that wait behind it.
func blocked(milliseconds: Int, waiters: Int) async {
  let slow = Slow()
  await withTaskGroup(of: Void.self) { group in
    group.addTask { await slow.hold(milliseconds: UInt32(milliseconds)) }
    try? await Task.sleep(for: .milliseconds(50))
    for _ in 0..<waiters { group.addTask { await slow.hold(milliseconds: 1) } }
    await group.waitForAll()
  }
}

/// A window that opens and closes while an actor is held all along.
func heldWindow() async {
  let slow = Slow()
  let holder = Task.detached { await slow.hold(milliseconds: 1_500) }
  await markWindow()
  await markWindow()
  await holder.value
}
