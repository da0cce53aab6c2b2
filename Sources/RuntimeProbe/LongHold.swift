internal import CRuntimeProbe

/// A stay on an actor in which its thread spent 100 ms or more of its own, running or blocked in the kernel.
package struct LongHold: Sendable, Hashable {
  /// The actor type.
  package var qualifiedName: String
  /// How long it lasted, or had lasted when it was last looked at, in ns.
  package var duration: UInt64
  /// Of that, on a processor; ns.
  package var cpu: UInt64
  /// Of that, seen blocked; ns.
  package var blocked: UInt64
  /// Where it was after 100 ms: its position and return addresses, innermost first. For `CreationPlaces`.
  package var addresses: [UInt64]
}

/// A stay on an actor that a task of a higher priority waited for, 10 ms or more.
package struct InvertedHold: Sendable, Hashable {
  /// The actor type.
  package var qualifiedName: String
  /// How long the waiter waited for its end, in ns.
  package var waited: UInt64
  package var holderPriority: UInt32
  package var waiterPriority: UInt32
  /// Where the holder was while it was waited for; as in `LongHold`.
  package var addresses: [UInt64]
}

/// A thread that runs a job.
package struct ThreadInJob: Sendable, Hashable {
  package var thread: UInt64
  /// It sleeps in the kernel.
  package var isBlocked: Bool
}

extension Probe {
  /// Starts the thread that finds long holds, a look each 10 ms. After `start`; classifying only.
  package static func watchHolds() throws(ProbeAbsence) {
    let problem = crp_watch_holds()
    if problem != 0 { throw ProbeAbsence("holds cannot be watched (error \(problem))") }
  }

  /// Ends that thread.
  package static func unwatchHolds() { crp_unwatch_holds() }

  /// The long holds since the first start, at most 64, and how many there were in all.
  package static func longHolds() -> (kept: [LongHold], seen: UInt64) {
    guard crp_mapped_base() != nil else { return ([], 0) }
    var seen: UInt64 = 0
    let raw = [crp_long_hold](unsafeUninitializedCapacity: 64) { buffer, count in
      count = min(crp_long_holds(buffer.baseAddress, 64, &seen), 64)
    }
    let names = names()
    let kept = raw.map { hold in
      LongHold(
        qualifiedName: names[hold.slot] ?? "", duration: hold.lasted, cpu: hold.cpu, blocked: hold.blocked,
        addresses: withUnsafeBytes(of: hold.addresses) { bytes in
          Array(bytes.bindMemory(to: UInt64.self).prefix(Int(hold.address_count)))
        })
    }
    return (kept, seen)
  }

  /// Inverted holds whose stack was taken since the first start, at most 64. Those of others are counted alone.
  package static func invertedHolds() -> [InvertedHold] {
    guard crp_mapped_base() != nil else { return [] }
    let raw = [crp_inverted_hold](unsafeUninitializedCapacity: 64) { buffer, count in
      count = min(crp_inverted_holds(buffer.baseAddress, 64), 64)
    }
    let names = names()
    return raw.map { hold in
      InvertedHold(
        qualifiedName: names[hold.slot] ?? "", waited: hold.waited, holderPriority: hold.holder_priority,
        waiterPriority: hold.waiter_priority,
        addresses: withUnsafeBytes(of: hold.addresses) { bytes in
          Array(bytes.bindMemory(to: UInt64.self).prefix(Int(hold.address_count)))
        })
    }
  }

  /// The qualified names of actor types by slot.
  private static func names() -> [UInt64: String] {
    let bytes = UnsafeRawBufferPointer(start: crp_mapped_base(), count: crp_mapped_size())
    return Dictionary(
      ProbeFile.actorNames(of: bytes, header: bytes.loadUnaligned(as: crp_file_header.self))
        .map { (UInt64($0.slot), $0.qualified) }, uniquingKeysWith: { first, _ in first })
  }

  /// The threads that are running a job now; classifying only.
  package static func threadsInJobs() -> [ThreadInJob] {
    [crp_thread_in_job](unsafeUninitializedCapacity: 256) { buffer, count in
      count = min(crp_threads_in_jobs(buffer.baseAddress, 256), 256)
    }.map { ThreadInJob(thread: $0.tid, isBlocked: $0.is_blocked != 0) }
  }
}
