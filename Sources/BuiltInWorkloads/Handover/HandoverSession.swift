internal import FlawedStories
internal import Measurement
internal import StoryPipeline
internal import Synchronization
internal import WorkloadInterface

/// The running side of `handover`.
final class HandoverSession: WorkloadSession {
  private let flaw: HandoverFlaw?
  private let behaviour: HandoverBehaviour
  private let recorder: Recorder
  private let made, delivered, dropped, requested: Counter
  private let toEnd: MeasuredDistribution

  init(cell: CellContext, flaw: HandoverFlaw?, behaviour: HandoverBehaviour) {
    self.flaw = flaw
    self.behaviour = behaviour
    recorder = cell.recorder
    made = recorder.counter("elements.made")
    delivered = recorder.counter("elements.delivered")
    dropped = recorder.counter("elements.dropped")
    requested = recorder.counter("cancel.requested")
    toEnd = recorder.distribution("cancel.latency{stage=\(HandoverWorkload.stage)}")
  }

  func run(_ iteration: Iteration) async -> IterationOutcome {
    let channel: any PublicationChannel<Int> =
      flaw?.makeChannel(of: Int.self) ?? HandoverFactory().makeChannel(of: Int.self)
    let line = SenderLine()
    let start = recorder.clock.now()
    let senders = (0..<behaviour.senders).map { number in Task { await send(number, to: channel, line) } }
    let isWhole = await judge(senders, line, from: start, iteration)
    if isWhole {
      // Whoever waits still, and should, is of use: nobody else can end meanwhile.
      for _ in 0..<line.seen.awaiting where (try? await channel.receive()) != nil { delivered.add() }
    }
    channel.cancel()
    for sender in senders { await sender.value }
    return isWhole ? .completed : .cancelled
  }

  private func send(_ number: Int, to channel: any PublicationChannel<Int>, _ line: SenderLine) async {
    line.see { $0.came(number, at: recorder.clock.now()) }
    made.add()
    do { try await channel.send(number) } catch { dropped.add() }
    line.see { $0.ended(number, at: recorder.clock.now()) }
  }

  /// Cancels, waits, and looks at who has ended. False where the iteration itself was cancelled.
  private func judge(
    _ senders: [Task<Void, Never>], _ line: SenderLine, from start: Int64, _ iteration: Iteration
  ) async -> Bool {
    let clock = recorder.clock
    guard (try? await clock.sleep(until: start + behaviour.after)) != nil else { return false }
    let cancelledAt = clock.now()
    for number in 0..<behaviour.cancelled {
      line.see { $0.cancelled(number) }
      requested.add()
      senders[number].cancel()
    }
    guard (try? await clock.sleep(until: cancelledAt + behaviour.patience)) != nil else { return false }
    let seen = line.seen
    for sender in seen.senders.values where sender.isCancelled {
      if let end = sender.endedAt { toEnd.record(max(0, end - cancelledAt), in: iteration) }
    }
    for finding in HandoverOracles.judge(
      seen, start: start, cancelledAt: cancelledAt, now: clock.now(), iteration: iteration.index)
    {
      recorder.report(finding)
    }
    return true
  }
}

/// What is seen of the senders, by all of them.
private final class SenderLine: Sendable {
  private let state = Mutex(SendersSeen())

  func see(_ event: (inout SendersSeen) -> Void) { state.withLock { event(&$0) } }

  var seen: SendersSeen { state.withLock { $0 } }
}
