internal import Synchronization

/// The books of one iteration.
protocol Books: AnyObject, Sendable {
  /// True if every element has a fate.
  var isBalanced: Bool { get }
  /// The cell is over: what has no fate is lost if the iteration has ended, else it waits in a buffer.
  func close(ended: Bool)
}

/// The iterations of a cell whose books are not closed: those that run, and those that ended with elements
/// that something may still deliver.
final class OpenBooks<Book: Books>: Sendable {
  private struct State {
    var running: [Int: Book] = [:]
    var ended: [Int: Book] = [:]
  }
  private let state = Mutex(State())

  /// An iteration began.
  func open(_ book: Book, iteration: Int) { state.withLock { $0.running[iteration] = book } }

  /// An iteration ended; its books are kept only if they do not balance yet, or `keep` says so.
  func ended(iteration: Int, keep: Bool = false) {
    let book = state.withLock { $0.running.removeValue(forKey: iteration) }
    guard let book, keep || !book.isBalanced else { return }
    state.withLock { $0.ended[iteration] = book }
  }

  /// The cell is over: closes all books, in the order of iterations.
  func close() {
    let (running, ended) = state.withLock { state in
      defer { state = State() }
      return (state.running, state.ended)
    }
    for (_, book) in ended.sorted(by: { $0.key < $1.key }) { book.close(ended: true) }
    for (_, book) in running.sorted(by: { $0.key < $1.key }) { book.close(ended: false) }
  }
}
