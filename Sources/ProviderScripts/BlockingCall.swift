internal import Glibc
internal import WorkloadInterface

extension ScriptedCaller {
  /// Asks once, holding the calling thread until the answer is due; real clock only.
  ///
  /// Draws, failures and counts are those of ``call(slot:attempt:)``. A capacity is not waited for, and a
  /// call that is to hang never returns: keep both out of such a script.
  /// - Throws: `ProviderFailure` as scripted, `CancellationError` for a caller cancelled before the call.
  public func callBlocking(slot: Int, attempt: Int = 0) throws -> Served {
    let call = OpenCall(self, slot: slot, attempt: attempt)
    do {
      try call.refuseIfScripted()
      let started = provider.script.begin(call.asked)
      let ended = try block(from: started, asked: call.asked, slot: slot, attempt: attempt)
      call.answered()
      return Served(
        value: provider.script.value(slot), asked: call.asked, started: started, ended: ended, elements: 1)
    } catch {
      throw call.ended(with: error)
    }
  }

  /// Serves a call on this thread; returns when it was answered.
  private func block(from started: Int64, asked: Int64, slot: Int, attempt: Int) throws -> Int64 {
    try Task.checkCancellation()
    let (script, clock) = (provider.script, provider.clock)
    let due = script.answer(from: started, iteration, slot, attempt)
    if let failure = script.failures.failure(iteration: iteration, slot: slot, attempt: attempt, at: asked) {
      let time = failure.after.map { started &+ $0 } ?? due
      ThreadSleep.until(time, now: clock.now)
      throw ProviderFailure(
        kind: failure.kind, provider: provider.name, slot: slot, attempt: attempt, time: time)
    }
    ThreadSleep.until(due, now: clock.now)
    if provider.spinsWork { ProcessorWork.spinHere(script.work(iteration, slot, attempt)) }
    return due
  }
}

/// Waiting that holds the thread.
enum ThreadSleep {
  /// Returns when the clock has reached `time`, in ns from the start of the cell.
  static func until(_ time: Int64, now: () -> Int64) {
    while case let rest = time &- now(), rest > 0 {
      var pause = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
      nanosleep(&pause, nil)
    }
  }
}
