internal import Glibc
internal import Synchronization
internal import VirtualTime

/// How the driver asks a cell to stop: SIGTERM. SIGINT goes to the driver alone.
enum CellSignals {
  private static let stopRequested = Atomic<Bool>(false)

  /// Whether the driver asked for a stop.
  static var isStopRequested: Bool { stopRequested.load(ordering: .relaxed) }

  /// Handles SIGTERM and leaves SIGINT to the driver.
  static func install() {
    signal(SIGINT, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    // A store and an atomic flag of virtual time: both are safe in a handler.
    signal(SIGTERM) { _ in
      CellSignals.stopRequested.store(true, ordering: .relaxed)
      VirtualProcess.requestStop()
    }
  }
}
