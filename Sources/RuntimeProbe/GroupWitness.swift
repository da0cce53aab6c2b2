internal import CRuntimeProbe
internal import Glibc

/// A child process in the group of this one that tells signals sent to the whole group from those sent to this
/// process alone.
package final class GroupWitness {
  private let process: Int32
  private let notes: UnsafeMutablePointer<crp_witness_notes>
  private var told = [UInt64](repeating: 0, count: Int(CRP_WITNESS_SIGNALS))

  /// One signal to the group may reach this process twice, as from timeout(1), which sends it one of its own as
  /// well, ns.
  private static let grace: Int64 = 200_000_000
  /// Sent to both at once, or nearly so: how long to wait for the witness's, ns.
  private static let patience: Int64 = 100_000_000

  /// Makes it; nil where no process can be made.
  package init?() {
    var notes: UnsafeMutablePointer<crp_witness_notes>?
    process = crp_begin_witness(&notes)
    guard process > 0, let notes else { return nil }
    self.notes = notes
  }

  deinit { crp_end_witness(process, notes) }

  /// Whether the signal that this process has just had went to the whole group. Waits a tenth of a second where
  /// it did not.
  ///
  /// - Parameter since: CLOCK_MONOTONIC in ns; what the group was sent before does not count.
  package func hasHad(_ number: Int32, since: Int64) -> Bool {
    let index = Int(number)
    guard told.indices.contains(index) else { return false }
    let received = crp_raw_monotonic()
    repeat {
      var time: Int64 = 0
      let count = crp_witness_notice(notes, number, &time)
      let isNew = count > told[index]
      told[index] = count
      if time >= since, isNew || received - time < Self.grace { return true }
      usleep(2_000)
    } while crp_raw_monotonic() - received < Self.patience
    return false
  }
}
