internal import Measurement
internal import ProviderScripts
internal import Synchronization
internal import WorkloadInterface

/// The running side of `timeout`.
final class TimeoutSession: WorkloadSession {
  private let work: ScriptedProvider
  private let flaw: TimeoutFlaw?
  private let strategy: TimeoutStrategy
  private let limit: Int64
  private let timers: TimerList
  private let recorder: Recorder
  private let timeouts, requested: Counter
  private let decided, returned, stage: MeasuredDistribution

  init(cell: CellContext, work: ScriptedProvider, strategy: TimeoutStrategy, flaw: TimeoutFlaw?) {
    self.work = work
    self.strategy = strategy
    self.flaw = flaw
    limit = cell.behaviour.duration("limit") ?? TimeoutWorkload.defaultLimit
    recorder = cell.recorder
    timers = TimerList(removal: flaw?.removal ?? .whenOver, kept: recorder.gauge("timers.kept"))
    timeouts = recorder.counter("timeouts")
    requested = recorder.counter("cancel.requested")
    decided = recorder.distribution("timeout.decided")
    returned = recorder.distribution("timeout.returned")
    stage = recorder.distribution("latency.stage{stage=work}")
  }

  /// What a race came to.
  private enum Answer {
    case value, failure, cancelled
    case timedOut(at: Int64)
  }

  func run(_ iteration: Iteration) async -> IterationOutcome {
    let clock = recorder.clock
    let began = clock.now()
    let caller = work.caller(for: iteration)
    let answer =
      switch strategy {
      case .joined: await joined(caller, from: began)
      case .abandoned where flaw == .cancelBeforeEntryLost: await enteredLate(caller, from: began)
      case .abandoned: await abandoned(caller, from: began)
      case .byHand: await byHand(caller, from: began, iteration)
      }
    let took = clock.now() - began
    caller.left()
    stage.record(took, in: iteration)
    switch answer {
    case .value: return .completed
    case .failure: return Task.isCancelled ? .cancelled : .failed(reason: "provider")
    case .cancelled: return .cancelled
    case .timedOut(let time):
      timeouts.add()
      decided.record(time - began, in: iteration)
      returned.record(took, in: iteration)
      if took > 2 * limit { report(decided: time - began, returned: took, in: iteration) }
      return .failed(reason: "timeout")
    }
  }

  private func report(decided: Int64, returned: Int64, in iteration: Iteration) {
    var finding = ReportedFinding(
      TimeoutWorkload.finding, evidence: ["timeouts": 1, "beyond-limit-in-all-ns": returned - limit],
      iteration: iteration.index)
    let milliseconds = [limit, decided, returned].map { "\($0 / 1_000_000) ms" }
    finding.details = [
      "limit \(milliseconds[0]), decided after \(milliseconds[1]), returned after \(milliseconds[2]) (\(returned / limit) ×)"
    ]
    recorder.report(finding)
  }

  /// The usual way. The group returns when both children have, whatever has been decided.
  private func joined(_ caller: ScriptedCaller, from began: Int64) async -> Answer {
    let end = began + limit
    return await withTaskGroup(of: Answer?.self) { group in
      group.addTask { await Self.call(caller) }
      group.addTask { [recorder] in
        guard (try? await recorder.clock.sleep(until: end)) != nil else { return nil }
        return .timedOut(at: recorder.clock.now())
      }
      let first = await group.next() ?? nil
      cancelled(caller, by: first)
      group.cancelAll()
      return first ?? .failure
    }
  }

  /// Whoever comes first resumes the caller. A call that does not heed its cancel is an orphan until it ends.
  private func abandoned(_ caller: ScriptedCaller, from began: Int64) async -> Answer {
    let end = began + limit
    let first = FirstAnswer<Answer>()
    let entry = timers.enter(until: end, at: began)
    defer { timers.over(entry, at: recorder.clock.now()) }
    let call = Task { await first.set(Self.call(caller)) }
    let timer = timer(first, until: end)
    let answer = await withTaskCancellationHandler {
      await first.value()
    } onCancel: {
      first.set(.cancelled)
    }
    cancelled(caller, by: answer)
    call.cancel()
    timer.cancel()
    return answer
  }

  private func timer(_ first: FirstAnswer<Answer>, until end: Int64) -> Task<Void, Never> {
    Task { [recorder] in
      guard (try? await recorder.clock.sleep(until: end)) != nil else { return }
      first.set(.timedOut(at: recorder.clock.now()))
    }
  }

  /// Flaw: a list knows what a cancel has to reach, and the call enters it in a task of its own. A cancel of the caller
  /// that comes in between finds nothing to cancel, and the call goes on. Only there: before and after it is heard.
  private func enteredLate(_ caller: ScriptedCaller, from began: Int64) async -> Answer {
    let first = FirstAnswer<Answer>()
    let list = CallList()
    let call = Task { await first.set(Self.call(caller)) }
    Task { list.enter(call) }
    let timer = timer(first, until: began + limit)
    let answer = await withTaskCancellationHandler {
      await first.value()
    } onCancel: {
      first.set(.cancelled)
    }
    cancelled(caller, by: answer)
    list.cancelAll()
    timer.cancel()
    return answer
  }

  /// The limit by a clock that is moved by hand, and moved past it at once: the call has no time at all.
  ///
  /// Flaw: the clock is moved before its sleeper has come to it, and who comes later sleeps for good.
  private func byHand(_ caller: ScriptedCaller, from began: Int64, _ iteration: Iteration) async -> Answer {
    let clock = HandClock()
    let first = FirstAnswer<Answer>()
    let call = Task { await first.set(Self.call(caller)) }
    // Comes to it when nothing of more weight is to be done, as the sleepers of a test on a busy machine do.
    let timer = Task(priority: .background) { [limit, recorder] in
      guard (try? await clock.sleep(for: limit)) != nil else { return }
      first.set(.timedOut(at: recorder.clock.now()))
    }
    if flaw != .advanceBeforeSleeperLost { await clock.waitForSleeper() }
    let woken = clock.advance(by: limit)
    let answer = await withTaskCancellationHandler {
      await first.value()
    } onCancel: {
      first.set(.cancelled)
    }
    if woken == 0, clock.sleepers > 0, !Task.isCancelled { neverWoken(clock.sleepers, in: iteration) }
    cancelled(caller, by: answer)
    call.cancel()
    timer.cancel()
    return answer
  }

  private func neverWoken(_ sleepers: Int, in iteration: Iteration) {
    recorder.report(
      ReportedFinding(
        TimeoutWorkload.neverWoken.name,
        evidence: ["advanced-ns": limit, "sleepers-found": 0, "sleepers-never-woken": Int64(sleepers)],
        iteration: iteration.index,
        details: [
          "advance by \(limit / 1_000_000) ms found 0 sleepers; \(sleepers) came later and never woke"
        ]))
  }

  func finish() async {
    if let finding = timers.judge(limit: limit, at: recorder.clock.now()) { recorder.report(finding) }
  }

  private func cancelled(_ caller: ScriptedCaller, by answer: Answer?) {
    guard case .timedOut(let time) = answer else { return }
    requested.add()
    caller.wasCancelled(at: time)
  }

  private static func call(_ caller: ScriptedCaller) async -> Answer {
    (try? await caller.call(slot: 0)) == nil ? .failure : .value
  }
}

/// Calls that a cancel reaches. One that enters afterwards is not cancelled: that is the flaw.
private final class CallList: Sendable {
  private let calls = Mutex<[Task<Void, Never>]>([])

  func enter(_ call: Task<Void, Never>) { calls.withLock { $0.append(call) } }

  func cancelAll() { for call in calls.withLock({ $0 }) { call.cancel() } }
}
