// Jobs of other threads.

internal import CDeterminism
internal import Runtime
internal import Synchronization

/// Keeps what other threads enqueue: the jobs, so that they are not lost, and who was first, by name.
final class ForeignIntake: Sendable {
  private struct Contents {
    // Raw words: jobs are not Sendable, and nobody but the owner takes them out.
    var words: [UInt] = []
    var first: ForeignEnqueue?
  }

  private let contents = Mutex(Contents())

  /// From another thread. The first call captures its stack, some milliseconds.
  func accept(_ work: QueuedWork) {
    let isFirst = contents.withLock { contents in
      contents.words.append(work.word)
      return contents.words.count == 1 && contents.first == nil
    }
    if isFirst {
      let description = describeCaller()
      contents.withLock { $0.first = description }
    }
    cdt_raise_attention(UInt32(CDT_ATTENTION_FOREIGN))
  }

  /// Who was first, or nil. Waits for nothing.
  var first: ForeignEnqueue? { contents.withLock { $0.first } }

  private func describeCaller() -> ForeignEnqueue {
    let threadName = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { buffer in
      buffer.initialize(repeating: 0)
      guard let start = buffer.baseAddress else { return "" }
      cdt_thread_name(start)
      return String(cString: start)
    }
    guard let backtrace = try? Backtrace.capture(limit: 32) else {
      return ForeignEnqueue(threadName: threadName, caller: "unknown", addresses: [])
    }
    let addresses = backtrace.frames.prefix(32).compactMap { frame -> UInt64? in
      switch frame {
      case .programCounter(let address), .returnAddress(let address), .asyncResumePoint(let address):
        UInt64(address)
      case .omittedFrames, .truncated: nil
      @unknown default: nil
      }
    }
    let names = backtrace.symbolicated()?.frames.compactMap(\.symbol).map {
      (image: $0.imageName, mangled: $0.rawName, readable: $0.name)
    }
    let caller = names?.first { !Self.isMachinery(image: $0.image, mangled: $0.mangled) }?.readable
    return ForeignEnqueue(threadName: threadName, caller: caller ?? "unknown", addresses: addresses)
  }

  /// True for frames that every foreign enqueue has: this module, the runtime, dispatch, the C library. The
  /// static standard library has no image of its own, so its functions are known by their mangled prefixes.
  private static func isMachinery(image: String, mangled: String) -> Bool {
    let images = ["libswift", "libdispatch", "libc.so", "ld-linux", "libpthread"]
    let prefixes = [
      "$s11VirtualTime", "$s7Runtime", "$ss", "$sS", "$sIe", "swift_", "_swift", "__swift", "_ZN5swift",
      "_ZL",
      "_ZN12_GLOBAL__N_1", "_dispatch", "dispatch_",
    ]
    return images.contains(where: image.hasPrefix) || prefixes.contains(where: mangled.hasPrefix)
  }
}
