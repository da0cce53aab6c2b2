internal import RunRecords
internal import RuntimeProbe
internal import Scenarios
internal import VirtualTime
internal import WorkloadInterface

/// Cancels everything that runs in a virtual cell at a scheduling step: at one, or at each in turn.
///
/// A sweep runs the cell once without a cancel. At each step at which an iteration runs it makes a copy of the whole
/// process, which cancels there, goes on to the end and leaves a line of what it found; the cell itself goes on to
/// its next step. So every run begins in exactly the state that the cell had at that step, and what lies before the
/// step is run once.
///
/// Belongs to the thread of virtual time.
final class StepSweep {
  private let iterations: CancellableIterations
  private let wanted: UInt64?
  private let firstStep: UInt64
  private var last: UInt64 = .max
  /// What the sweep itself keeps; nil in a copy, and where only one step is wanted.
  private var copies: StepCopies?
  /// Steps at which an iteration ran that found no room.
  private(set) var stepsLeftOut = 0
  /// The step of the cancel; nil while there was none.
  private(set) var cancelledAt: UInt64?
  /// Whether this process is a copy.
  private(set) var isCopy = false

  /// A sweep for the load that begins at step `firstStep` of the process.
  init(_ cancel: Scenario.StepCancel, iterations: CancellableIterations, firstStep: UInt64, watchdog: Int64) {
    self.iterations = iterations
    self.firstStep = firstStep
    wanted = cancel.step.map(UInt64.init)
    copies = cancel.step == nil ? StepCopies(patience: StepCopies.patience(watchdog: watchdog)) : nil
  }

  /// The process has done so many steps; called before each next one.
  func reached(_ step: UInt64, isStopping: Bool) {
    guard cancelledAt == nil, step != last else { return }
    last = step
    let number = step &- firstStep
    if let wanted {
      if number == wanted { cancel(at: number) }
      return
    }
    guard let copies, !isStopping, iterations.areAny else { return }
    guard !copies.isFull else {
      stepsLeftOut += 1
      return
    }
    guard copies.make(for: number) else { return }
    isCopy = true
    self.copies = nil
    cancel(at: number)
  }

  private func cancel(at number: UInt64) {
    cancelledAt = number
    iterations.cancelAll()
  }

  /// The number of the last step.
  var stepsReached: UInt64 { last == .max ? 0 : last &- firstStep }

  /// Waits for all copies; nil where there are none to wait for.
  func finish() -> UnsafeBufferPointer<StepCopies.Ending>? { copies?.finish() }
}

/// What the run of one step came to, as its process leaves it.
struct StepResult: Codable {
  /// The step.
  var step: UInt64
  /// Passed, hung or something worse, before findings.
  var verdict: Verdict
  /// Why, where it did not pass.
  var reasons: [String]
  /// What was found, but for the tasks below: their names take long to look up, and are the same for all copies.
  var findings: [FindingRecord]
  /// Tasks that outlived their iteration.
  var outliving: OutlivingTasks
  /// Tasks that were alive in a deadlock.
  var stuck: [LiveTask]
  /// Iterations that were cancelled, and those of them that ended as such.
  var asked: Int
  var cancelled: Int
  /// Elements lost.
  var lost: Int64
}
