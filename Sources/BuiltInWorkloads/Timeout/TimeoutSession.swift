internal import Measurement
internal import ProviderScripts
internal import Synchronization
internal import WorkloadInterface

/// The running side of `timeout`.
final class TimeoutSession: WorkloadSession {
  private let work: ScriptedProvider
  private let isJoined, entersLate: Bool
  private let limit: Int64
  private let recorder: Recorder
  private let timeouts, requested: Counter
  private let decided, returned, stage: MeasuredDistribution

  init(cell: CellContext, work: ScriptedProvider) {
    self.work = work
    isJoined = cell.strategy.kind == "joined"
    entersLate = cell.flaw != nil
    limit = cell.behaviour.duration("limit") ?? TimeoutWorkload.defaultLimit
    recorder = cell.recorder
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
      isJoined
      ? await joined(caller, from: began)
      : entersLate ? await enteredLate(caller, from: began) : await abandoned(caller, from: began)
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

/// The first of several answers, for one task that waits.
private final class FirstAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Value, Never>)
    case answered(Value)
    case taken
  }
  private let state = Mutex(State.open)

  func set(_ value: Value) {
    let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .open: state = .answered(value)
      case .waiting(let continuation):
        state = .taken
        return continuation
      case .answered, .taken: break
      }
      return nil
    }
    waiter?.resume(returning: value)
  }

  func value() async -> Value {
    await withCheckedContinuation { continuation in
      let known = state.withLock { state -> Value? in
        guard case .answered(let value) = state else {
          state = .waiting(continuation)
          return nil
        }
        state = .taken
        return value
      }
      if let known { continuation.resume(returning: known) }
    }
  }
}
