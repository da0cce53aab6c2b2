internal import Measurement
internal import Synchronization
internal import WorkloadInterface

/// Counts one iteration of `pages`, and keeps what its oracles look at.
final class PageObservation: Books {
  private struct State {
    var walk = WalkSeen()
    var text: TextSeen?
    var hasLeft = false
    var isClosed = false
    var lastBatch = 0
    var lastElementAt: Int64?
  }

  private let iteration: Iteration
  private let behaviour: PagesBehaviour
  private let figures: PageFigures
  private let recorder: Recorder
  private let began: Int64
  private let state = Mutex(State())

  init(_ iteration: Iteration, behaviour: PagesBehaviour, figures: PageFigures, recorder: Recorder) {
    self.iteration = iteration
    self.behaviour = behaviour
    self.figures = figures
    self.recorder = recorder
    began = recorder.clock.now()
  }

  // MARK: The source

  /// A page is asked for; returns the how-manieth time, from 0, and how many were asked for in all.
  func asked(_ page: Int) -> (attempt: Int, all: Int) {
    state.withLock { state in
      let attempt = state.walk.asked[page, default: 0]
      state.walk.asked[page] = attempt + 1
      if state.walk.answered[page] != nil { state.walk.askedAgain += 1 }
      if state.hasLeft {
        state.walk.askedAfterLeaving += 1
        figures.fetchedAfterLeaving.add()
      }
      return (attempt, state.walk.asked.values.reduce(0, +))
    }
  }

  /// It comes, with so many rows that can be read and so many that cannot.
  func answered(_ page: Int, readable: Int, unreadable: Int) {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.walk.answered[page, default: 0] += 1
      state.walk.rowsWaiting += Int64(readable)
      figures.pagesFetched.add()
      figures.made.add(Int64(readable + unreadable))
      figures.refused.add(Int64(unreadable))
    }
  }

  // MARK: The consumer

  /// So many rows came.
  func delivered(_ rows: Int) {
    let now = recorder.clock.now()
    state.withLock { state in
      guard !state.isClosed else { return }
      state.walk.rowsWaiting -= Int64(rows)
      figures.delivered.add(Int64(rows))
      if let last = state.lastElementAt {
        figures.interElement.record(now - last, in: iteration)
      } else {
        figures.timeToFirst.record(now - began, in: iteration)
      }
      state.lastElementAt = now
    }
  }

  /// A batch of so many rows came.
  func batch(_ size: Int) {
    figures.batches.add()
    state.withLock { state in
      // A batch before this one was not the last, and had to be full.
      if state.lastBatch > 0, state.lastBatch != behaviour.batch { state.walk.wrongBatches += 1 }
      state.lastBatch = size
      state.walk.largestBatch = max(state.walk.largestBatch, size)
    }
  }

  /// A walk goes on after a failure.
  func resumed() {
    figures.resumptions.add()
    state.withLock { $0.walk.resumptions += 1 }
  }

  /// The consumer leaves before the end.
  func left() {
    state.withLock { state in
      state.hasLeft = true
      state.walk.ending = .left
    }
  }

  /// The walk ended, or failed for good.
  func ended(_ ending: WalkSeen.Ending) {
    state.withLock { if $0.walk.ending == .running { $0.walk.ending = ending } }
  }

  /// All of a text was read.
  func read(_ text: TextSeen, made: Int, delivered: Int) {
    state.withLock { state in
      state.text = text
      state.walk.ending = .finished
      figures.made.add(Int64(made))
      figures.delivered.add(Int64(delivered))
      figures.lost.add(Int64(made - delivered))
    }
  }

  var isBalanced: Bool { state.withLock { $0.walk.rowsWaiting == 0 } }

  func close(ended: Bool) {
    let findings = state.withLock { state -> [ReportedFinding] in
      guard !state.isClosed else { return [] }
      state.isClosed = true
      // The last batch may be smaller, never larger.
      if state.lastBatch > behaviour.batch, behaviour.batch > 0 { state.walk.wrongBatches += 1 }
      settle(state.walk, ended: ended)
      if let text = state.text {
        return PageOracles.judge(text, behaviour, iteration: iteration.index)
      }
      return behaviour.readsText
        ? [] : PageOracles.judge(state.walk, behaviour, iteration: iteration.index)
    }
    for finding in findings { recorder.report(finding) }
  }

  /// Gives the rows that came to nobody a fate.
  private func settle(_ walk: WalkSeen, ended: Bool) {
    let isWithdrawn = walk.ending == .left || behaviour.transform == .prefix || walk.ending == .failed
    if !ended {
      figures.buffered.add(walk.rowsWaiting)
    } else if isWithdrawn {
      figures.dropped.add(walk.rowsWaiting)
    } else {
      figures.lost.add(walk.rowsWaiting)
    }
  }
}
