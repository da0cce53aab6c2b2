import Glibc

/// Threads outside Swift concurrency.
enum PlainThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new detached thread. Ends the process where the system gives no thread: nothing could
  /// be measured then.
  static func start(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let parcel = Unmanaged.passRetained(Body(body))
    let result = pthread_create(
      &thread, nil,
      { parcel in
        guard let parcel else { return nil }
        Unmanaged<Body>.fromOpaque(parcel).takeRetainedValue().run()
        return nil
      }, parcel.toOpaque())
    guard result == 0 else { fatalError("the system gives no thread: error \(result) of pthread_create") }
    pthread_detach(thread)
  }
}

/// How far the kernel may put off this thread's timers.
enum TimerSlack {
  /// Asks for 1 ns instead of the usual 50 µs; without the right to it, timers stay as they are.
  static func reduce() {
    // The link reads `PID/task/TID`; the file is only found under the thread's own number.
    var link = [UInt8](repeating: 0, count: 64)
    let length = link.withUnsafeMutableBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        bytes.baseAddress.map { readlink("/proc/thread-self", $0, bytes.count) } ?? -1
      }
    }
    guard length > 0 else { return }
    guard let thread = String(decoding: link[..<length], as: UTF8.self).split(separator: "/").last else {
      return
    }
    guard let file = fopen("/proc/\(thread)/timerslack_ns", "w") else { return }
    fputs("1", file)
    fclose(file)
  }
}
