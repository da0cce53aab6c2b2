internal import WorkloadInterface

/// What is known of the senders of one iteration, as a value.
struct SendersSeen: Sendable {
  /// One sender.
  struct Sender: Sendable {
    /// When it came to the channel, in ns of the cell.
    var since: Int64
    /// When it ended; nil while it waits.
    var endedAt: Int64?
    var isCancelled = false
  }
  private(set) var senders: [Int: Sender] = [:]

  /// A sender has come.
  mutating func came(_ number: Int, at time: Int64) { senders[number] = Sender(since: time) }

  /// A sender has ended.
  mutating func ended(_ number: Int, at time: Int64) { senders[number]?.endedAt = time }

  /// A sender is cancelled; one that has not come yet does not count.
  mutating func cancelled(_ number: Int) { senders[number]?.isCancelled = true }

  /// Those that wait and whom nobody has cancelled.
  var awaiting: Int { senders.values.count { $0.endedAt == nil && !$0.isCancelled } }
}

/// The faults that are looked for in every iteration of `handover`.
enum HandoverOracles {
  static let neverResumed = FindingDeclaration(
    name: "sender-never-resumed",
    about: "A sender that waited for a reader was cancelled, and still waited when the patience was over.",
    advice: "Resume a waiting sender from a cancellation handler, with an error.")
  static let endedOthers = FindingDeclaration(
    name: "cancel-ended-others",
    about: "One waiting sender was cancelled, and others ended with it whom nobody had cancelled.",
    advice: "Take the cancelled sender alone out of the line: give each a number of its own.")

  static let declarations = [neverResumed, endedOthers]

  /// The faults, as it stands at `now`, when `start` and `cancelledAt` were the beginning and the cancel.
  static func judge(
    _ seen: SendersSeen, start: Int64, cancelledAt: Int64, now: Int64, iteration: Int
  ) -> [ReportedFinding] {
    let all = seen.senders.sorted { $0.key < $1.key }
    let stuck = all.filter { $0.value.isCancelled && $0.value.endedAt == nil }
    let others = all.filter { !$0.value.isCancelled && $0.value.endedAt != nil }
    var findings: [ReportedFinding] = []
    if !stuck.isEmpty {
      findings.append(
        ReportedFinding(
          neverResumed.name,
          evidence: [
            "senders": Int64(all.count), "never-resumed": Int64(stuck.count),
            "suspended-ns": stuck.reduce(0) { $0 + now - $1.value.since },
            "waited-after-cancel-ns": Int64(stuck.count) * (now - cancelledAt),
          ], iteration: iteration,
          details: stuck.map {
            "sender \($0.key + 1) suspended since \(seconds($0.value.since - start)), cancelled at \(seconds(cancelledAt - start)), not resumed by \(seconds(now - start))"
          }))
    }
    if !others.isEmpty {
      let ended = all.count { $0.value.endedAt != nil }
      let cancelled = all.count { $0.value.isCancelled }
      findings.append(
        ReportedFinding(
          endedOthers.name,
          evidence: [
            "senders": Int64(all.count), "cancelled": Int64(cancelled), "ended": Int64(ended),
            "still-waiting": Int64(all.count - ended),
          ], iteration: iteration,
          details: [
            "\(all.count) senders waited, \(cancelled) cancelled, \(ended) ended, \(all.count - ended) still waiting"
          ]))
    }
    return findings
  }

  /// With two places, cut off.
  private static func seconds(_ nanoseconds: Int64) -> String {
    let hundredths = nanoseconds / 10_000_000
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) s"
  }
}
