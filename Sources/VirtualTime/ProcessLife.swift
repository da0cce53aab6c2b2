// How processes of cells are started and ended, on either clock.

internal import CDeterminism
internal import Glibc

/// The life of a process that another one starts for a cell.
package enum ProcessLife {
  /// Ties this process to `parent`, the process that started it: from now on the kernel ends this one when the
  /// thread that started it ends, however that ends. Ends this process at once where the parent is gone already.
  package static func end(withParent parent: Int32) {
    if !cdt_end_with_parent(parent) { _exit(1) }
  }

  /// Copies this process as it stands: tasks, timers, clock and draws, all of it. For processes of virtual time, which
  /// have one thread. The copy ends with this process at the latest, and a crash in it writes no stack.
  ///
  /// - Returns: The copy's number; 0 in the copy; nil where the system refuses.
  package static func copy() -> Int32? {
    let process = cdt_fork()
    return process < 0 ? nil : process
  }

  /// Runs `body` with address space randomisation off for the programs it starts: the order of sets keyed by
  /// addresses is then the same in equal runs. Where the system refuses, `body` runs as it is.
  package static func withoutAddressRandomisation<Value>(_ body: () -> Value) -> Value {
    let former = cdt_disable_aslr_for_exec()
    defer { if former >= 0 { cdt_restore_personality(former) } }
    return body()
  }
}
