import Measurement
import WorkloadInterface

/// One call on its way: what it does at which time, and what is counted about it.
struct OpenCall {
  private let caller: ScriptedCaller
  private let slot: Int
  private let attempt: Int
  private let failure: FailureScript?
  /// When it was asked, in ns from the start of the cell.
  let asked: Int64

  private var provider: ScriptedProvider { caller.provider }
  private var script: CallScript { caller.provider.script }
  private var isDeaf: Bool { script.script.ignoresCancellation }

  init(_ caller: ScriptedCaller, slot: Int, attempt: Int) {
    self.caller = caller
    self.slot = slot
    self.attempt = attempt
    asked = caller.provider.clock.now()
    failure = caller.provider.script.failures.failure(
      iteration: caller.iteration, slot: slot, attempt: attempt, at: asked)
    let counts = caller.provider.counts
    counts.asked.add()
    counts.inFlight.add(1)
    if caller.isUnwanted {
      counts.askedAfterLeft.add()
      caller.lateCalls.add()
    }
  }

  // MARK: Course

  /// Rate limits without a delay refuse before the queue.
  func refuseIfScripted() throws {
    if let failure, failure.kind == .rateLimited, failure.after == nil {
      throw error(.rateLimited, at: asked)
    }
  }

  /// Waits for a turn and returns when service begins.
  nonisolated(nonsending) func enter() async throws -> Int64 {
    guard let places = provider.places else { return script.begin(asked) }
    guard let turn = try await places.enter(at: asked) else { throw error(.rateLimited, at: asked) }
    provider.counts.waits?.record(turn - asked)
    return script.begin(turn)
  }

  /// Serves a call and frees its place; returns when it was answered.
  nonisolated(nonsending) func serve(from started: Int64) async throws -> Int64 {
    let due = script.answer(from: started, caller.iteration, slot, attempt)
    try await holdingPlace {
      try await fail(from: started, otherwise: due)
      try await wait(until: due)
      return due
    }
    await spin()
    return due
  }

  /// Serves a stream and frees its place; returns when its last element came.
  nonisolated(nonsending) func serveElements(
    _ count: Int, from started: Int64,
    _ deliver: nonisolated(nonsending) (ScriptedElement) async throws -> Void
  ) async throws -> Int64 {
    var due = script.firstToken(from: started, caller.iteration, slot, attempt)
    let breaks = failure?.kind == .midStream ? min(count, max(0, failure?.afterTokens ?? count / 2)) : nil
    return try await holdingPlace {
      if breaks == nil { try await fail(from: started, otherwise: due) }
      await spin()
      for index in 0..<count {
        try await wait(until: due)
        if index == breaks { throw error(.midStream, at: due) }
        made()
        let next =
          index + 1 < count
          ? script.nextToken(after: due, index: index + 1, caller.iteration, slot, attempt) : nil
        try await deliver(ScriptedElement(index: index, value: script.value(index), due: due, next: next))
        due = next ?? due
      }
      if breaks == count { throw error(.midStream, at: due) }
      return due
    }
  }

  /// Frees the place as of the time that the body returns, or as of now where it throws something else
  /// than a scripted failure.
  @discardableResult
  private nonisolated(nonsending) func holdingPlace(
    _ body: nonisolated(nonsending) () async throws -> Int64
  ) async throws -> Int64 {
    do {
      let end = try await body()
      provider.places?.exit(at: end)
      return end
    } catch {
      provider.places?.exit(at: (error as? ProviderFailure)?.time ?? provider.clock.now())
      throw error
    }
  }

  /// Throws the scripted failure at its time, if there is one.
  private nonisolated(nonsending) func fail(from started: Int64, otherwise due: Int64) async throws {
    guard let failure else { return }
    if failure.kind == .hang { try await hang() }
    let time = failure.after.map { started &+ $0 } ?? due
    try await wait(until: time)
    throw error(failure.kind, at: time)
  }

  /// Suspends until the time has come. A provider deaf to cancellation waits on in a task of its own.
  private nonisolated(nonsending) func wait(until time: Int64) async throws {
    let clock = provider.clock
    if time <= clock.now() {
      if !isDeaf { try Task.checkCancellation() }
      return
    }
    do {
      try await clock.sleep(until: time)
    } catch {
      guard isDeaf else { throw error }
      await Task.detached { try? await clock.sleep(until: time) }.value
    }
  }

  /// Never answers: no timer runs, so that virtual time can tell a deadlock.
  private nonisolated(nonsending) func hang() async throws {
    let gate = CancellationGate()
    await withTaskCancellationHandler {
      await withUnsafeContinuation { gate.wait($0) }
    } onCancel: {
      gate.open()
    }
    throw CancellationError()
  }

  private nonisolated(nonsending) func spin() async {
    guard provider.spinsWork else { return }
    await ProcessorWork.spin(script.work(caller.iteration, slot, attempt))
  }

  private func error(_ kind: FailureScript.Kind, at time: Int64) -> ProviderFailure {
    ProviderFailure(kind: kind, provider: provider.name, slot: slot, attempt: attempt, time: time)
  }

  // MARK: Counts

  /// A call was answered.
  func answered() {
    made()
    streamEnded()
  }

  /// All elements of a stream were delivered.
  func streamEnded() {
    provider.counts.served.add()
    provider.counts.inFlight.add(-1)
    timeEnd()
  }

  private func made() {
    provider.counts.elements.add()
    guard caller.isUnwanted else { return }
    provider.counts.servedAfterLeft.add()
    provider.counts.lateElements.add()
    caller.lateElements.add()
  }

  /// Times the end of the call from the consumer's cancel, if there was one.
  private func timeEnd() {
    guard let cancelled = caller.cancelledAt else { return }
    provider.counts.afterCancel?.record(max(0, provider.clock.now() - cancelled))
  }

  /// Counts a call that was not answered; returns the error to throw.
  func ended(with error: any Error) -> any Error {
    let counts = provider.counts
    counts.inFlight.add(-1)
    timeEnd()
    if let failure = error as? ProviderFailure {
      counts.failed.add()
      counts.failedByKind[failure.kind]?.add()
      counts.faults[failure.kind]?.now(slot)
    } else {
      counts.cancelled.add()
    }
    return error
  }
}
