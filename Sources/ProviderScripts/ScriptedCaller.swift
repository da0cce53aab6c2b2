import Measurement
import Synchronization
import WorkloadInterface

/// An element of a scripted stream.
public struct ScriptedElement: Sendable {
  /// Its place in the stream, from 0.
  public let index: Int
  /// What the script says for it; `nil` where it gives no values.
  public let value: String?
  /// When the script has it come, in ns from the start of the cell.
  public let due: Int64
  /// When the script has the next one come; `nil` for the last.
  public let next: Int64?
}

/// A scripted provider as one consumer sees it: who asks is part of every draw, and the provider learns
/// when that consumer has left.
public final class ScriptedCaller: Sendable {
  let provider: ScriptedProvider
  /// The number of the iteration.
  public let iteration: Int
  private let hasLeft = Atomic(false)
  /// When the consumer cancelled, in ns from the start of the cell; the least number as long as it has not.
  private let cancelled = Atomic(Int64.min)
  /// Calls and elements that came after the consumer had cancelled or left.
  let lateCalls = Counter()
  let lateElements = Counter()

  init(provider: ScriptedProvider, iteration: Int) {
    self.provider = provider
    self.iteration = iteration
  }

  /// Says that the consumer wants nothing more: what is asked or served from here on is counted as late.
  public func left() { hasLeft.store(true, ordering: .relaxed) }

  /// Says that the consumer has just cancelled, at `time` in ns from the start of the cell: from here on the ends of
  /// calls are timed. The first time counts.
  public func wasCancelled(at time: Int64) {
    _ = cancelled.compareExchange(expected: .min, desired: time, ordering: .relaxed)
  }

  /// When the consumer cancelled, in ns from the start of the cell; `nil` as long as it has not.
  var cancelledAt: Int64? {
    let time = cancelled.load(ordering: .relaxed)
    return time == .min ? nil : time
  }

  /// Calls and elements so far that came after the consumer had cancelled or left.
  public var late: (calls: Int64, elements: Int64) { (lateCalls.value, lateElements.value) }

  /// Whether nobody waits for the answer: the consumer has left, or the calling task is cancelled.
  var isUnwanted: Bool { hasLeft.load(ordering: .relaxed) || Task.isCancelled }

  /// Asks once. Runs on the caller's executor; the times are absolute, so waiting adds no drift.
  ///
  /// - Parameters:
  ///   - slot: What is asked for, from 0; it is part of the draws' address.
  ///   - attempt: The try, from 0.
  /// - Throws: `ProviderFailure` as scripted, `CancellationError` for a cancelled caller.
  public nonisolated(nonsending) func call(slot: Int, attempt: Int = 0) async throws -> Served {
    let call = OpenCall(self, slot: slot, attempt: attempt)
    do {
      try call.refuseIfScripted()
      let started = try await call.enter()
      let ended = try await call.serve(from: started)
      call.answered()
      return Served(
        value: provider.script.value(slot), asked: call.asked, started: started, ended: ended, elements: 1)
    } catch {
      throw call.ended(with: error)
    }
  }

  /// Asks for an answer in elements and hands each to `deliver` as it comes.
  ///
  /// The script's `tokens` says how many, else `count`. An element is due at an absolute time; where
  /// `deliver` takes longer the next follows at once. An error of `deliver` ends the stream.
  /// - Throws: `ProviderFailure`, `CancellationError`, and what `deliver` throws.
  public nonisolated(nonsending) func stream(
    slot: Int, attempt: Int = 0, count: Int,
    deliver: nonisolated(nonsending) (ScriptedElement) async throws -> Void
  ) async throws -> Served {
    let call = OpenCall(self, slot: slot, attempt: attempt)
    do {
      try call.refuseIfScripted()
      let started = try await call.enter()
      let count = max(1, provider.script.script.tokens ?? count)
      let ended = try await call.serveElements(count, from: started, deliver)
      call.streamEnded()
      return Served(value: nil, asked: call.asked, started: started, ended: ended, elements: count)
    } catch {
      throw call.ended(with: error)
    }
  }
}
