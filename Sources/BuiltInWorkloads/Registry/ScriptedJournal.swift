internal import Dispatch
internal import Glibc
internal import StoryPipeline
internal import Synchronization

/// A journal on a disk of scripted speed: each line blocks the thread for as long.
struct ScriptedJournal: CandidateJournal {
  /// In ns.
  let line: Int64

  func write(lines: Int) {
    guard line > 0, lines > 0 else { return }
    ThreadPause.nanoseconds(line.multipliedReportingOverflow(by: Int64(lines)).partialValue)
  }
}

/// Waiting that holds the thread.
enum ThreadPause {
  static func nanoseconds(_ time: Int64) {
    var rest = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
    var left = timespec()
    while nanosleep(&rest, &left) != 0 { rest = left }
  }
}

/// A commit of a whole group: so long after the first line was written, all lines of the registry last.
///
/// The commit is made by a thread of its own, which no blocked worker can keep from it.
final class ScriptedCommit: GroupCommit {
  private struct State {
    var isBegun = false
    var isOver = false
    var suspended: [CheckedContinuation<Void, Never>] = []
    var blocked = 0
  }
  private let state = Mutex(State())
  private let release = DispatchSemaphore(value: 0)
  private let after: Int64

  /// - Parameter after: In ns.
  init(after: Int64) { self.after = after }

  func committed() async {
    begin()
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.suspended.append(continuation) }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }

  func waitUntilCommitted() {
    begin()
    let isOver = state.withLock { state in
      if !state.isOver { state.blocked += 1 }
      return state.isOver
    }
    if !isOver { release.wait() }
  }

  private func begin() {
    let isFirst = state.withLock { state in
      defer { state.isBegun = true }
      return !state.isBegun
    }
    guard isFirst else { return }
    let reference = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let problem = pthread_create(
      &thread, nil,
      { argument in
        let commit = Unmanaged<ScriptedCommit>.fromOpaque(argument!).takeRetainedValue()
        ThreadPause.nanoseconds(commit.after)
        commit.commit()
        return nil
      }, reference.toOpaque())
    if problem == 0 {
      pthread_detach(thread)
    } else {
      reference.release()
      commit()
    }
  }

  private func commit() {
    let (suspended, blocked) = state.withLock { state in
      state.isOver = true
      defer { state.suspended = [] }
      return (state.suspended, state.blocked)
    }
    for continuation in suspended { continuation.resume() }
    for _ in 0..<blocked { release.signal() }
  }
}
