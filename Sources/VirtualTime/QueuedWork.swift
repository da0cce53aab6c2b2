// One word for one piece of queued work.

internal import _Concurrency

/// A runtime job bound for the generic executor, one bound for the main actor, or a plain callback, in one
/// word: no allocation and no reference counting while it is queued.
///
/// Jobs are aligned to 16 bytes, so the low bits of their address are free for the kind.
struct QueuedWork {
  enum Kind: UInt {
    case generic = 0
    case main = 1
    case callback = 2
  }

  let word: UInt

  init(job: UnownedJob, onMain: Bool) {
    word = unsafeBitCast(job, to: UInt.self) | (onMain ? Kind.main.rawValue : Kind.generic.rawValue)
  }

  init(callback slot: Int) {
    word = UInt(slot) << 4 | Kind.callback.rawValue
  }

  var isCallback: Bool { word & 2 != 0 }
  var isMain: Bool { word & 1 != 0 }

  /// The job. Only where `isCallback` is false; the kind bits are cleared.
  var job: UnownedJob { unsafeBitCast(word & ~UInt(15), to: UnownedJob.self) }

  /// The slot in the callback table. Only where `isCallback` is true.
  var callbackSlot: Int { Int(word >> 4) }
}
