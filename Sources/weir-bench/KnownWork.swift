import Foundation
import RuntimeProbe

/// Work that `scripts/check-hops` has counted by gdb as well: prints the probe's count of all switches in it.
enum KnownWork {
  private actor Till {
    private var count = 0
    func hit() { count += 1 }
  }

  @MainActor private static var shown = 0
  @MainActor private static func show() { shown += 1 }

  private static let rounds = 500

  static func run(_ kind: String) async {
    do { try Probe.start(mode: .classifying) } catch {
      print("no probe: \(error)")
      exit(69)
    }
    let counts = await Task.detached {
      let before = Probe.readCounts()
      known_work_begins()
      await work(kind)
      known_work_ends()
      return Probe.readCounts().since(before)
    }.value
    print("switches \(counts.switchesSame + counts.switchesMoved)")
  }

  private static func work(_ kind: String) async {
    let first = Till()
    let second = Till()
    for _ in 0..<rounds {
      switch kind {
      case "ping-pong":
        await first.hit()
        await second.hit()
      case "main-actor": await show()
      default: await first.hit()
      }
    }
  }
}

/// Where gdb begins and ends to count. Not inlined, under names of their own.
@_silgen_name("known_work_begins") @inline(never) func known_work_begins() {
  withExtendedLifetime(fence) {}
}

@_silgen_name("known_work_ends") @inline(never) func known_work_ends() {
  withExtendedLifetime(fence) {}
}

private let fence = ProcessInfo.processInfo.processIdentifier
