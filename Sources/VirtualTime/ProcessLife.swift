// How processes of cells are started and ended, on either clock.

internal import CDeterminism
internal import Glibc

/// The life of a process that another one starts for a cell.
package enum ProcessLife {
  /// Ties this process to the one that started it: when the starting thread ends, however it ends, so does this
  /// process. Ends at once where `parent` is gone already.
  package static func end(withParent parent: Int32) {
    if !cdt_end_with_parent(parent) { exit(1) }
  }
}
