package import WorkloadInterface

/// The findings that Weir itself can report, whatever the workload; `weir explain` prints them.
package enum FindingCatalogue {
  /// Weir's own findings.
  package static let builtIn: [FindingDeclaration] = ofIterations + ofActors

  private static let ofActors: [FindingDeclaration] = [
    .init(
      name: "actor-saturated",
      about:
        "One actor instance was held for 90 % of the measured window or more, two tasks or more stood at it on average when others came, and a quarter of the cores or more was idle. Real clock, windows from 0.5 s.",
      advice: "Take work out of the actor, give it batches instead of elements, or divide it.",
      isAdvisory: true),
    .init(
      name: "contention-collapse",
      about:
        "With eight times the users or more, fewer than a third as many iterations were completed per second as with the fewest. Judged over the cells of a sweep (`load.users: [1, 8, 64]`), which differ in their users alone; flat throughput is no collapse.",
      advice:
        "Look at what the actor or lock does more of the more callers wait for it; give it batches, or let fewer tasks call it at once.",
      isAdvisory: true),
    .init(
      name: "hop-ping-pong",
      about:
        "Tasks went straight from one actor to another and back, a thousand times or more each way, these were four fifths of the arrivals on both, and they waited longer for the two, on average, than they stayed. Real clock.",
      advice: "Do the work in one visit: move the state together, or carry values over in batches.",
      isAdvisory: true),
    .init(
      name: "long-hold",
      about:
        "A task held an actor while its thread ran, or was blocked in the kernel, for 100 ms or more. Time without a core does not count. The place is where it was after 100 ms, with the stack of the longest. Real clock.",
      advice:
        "Take blocking calls and long computations out of the actor; await instead of blocking, or yield between parts."
    ),
    .init(
      name: "priority-inversion",
      about:
        "A task of priority 25 (userInitiated) or above waited for the end of a hold by a task of a lower priority, 10 ms or more at the worst. On Linux the holder is not given the waiter's priority. The place is where the holder was that was waited for longest, of those whose stack was taken while they were waited for. Real clock.",
      advice: "Hold the actor shortly at low priority, or do both at one priority.", isAdvisory: true),
    .init(
      name: "pool-exhausted",
      about:
        "For a second or more no thread of the pool was free: a task that beats 20 times a second was silent, every thread in a job was blocked in the kernel at each look, and the process used less than 5 % of a core meanwhile. Threads that compute are busy, not blocked. Real clock.",
      advice:
        "Do not block in tasks: as many blocking calls as cores stop every task of the process. Move them to threads of their own."
    ),
  ]

  private static let ofIterations: [FindingDeclaration] = [
    .init(
      name: "orphaned-task",
      about: "A task was alive after the iteration that created it had ended and the grace time had passed.",
      advice:
        "Keep the task and cancel it when its consumer leaves: in the stream's onTermination, or in the iterator's deinit."
    ),
    .init(
      name: "alive-at-end",
      about: "A recorded program ended, or its recording did, while this task was alive.",
      advice:
        "A task of a server or a loop may well be. One that should have ended by then was forgotten: keep it where it is made, and cancel or await it."
    ),
    .init(
      name: "retained-task",
      about:
        "Tasks that are over are still referred to, by something that keeps those of many iterations: memory grows with them.",
      advice: "Take a task out of its table when it ends, or keep what it returns and not the task."),
    .init(
      name: "conservation-broken",
      about:
        "Elements or iterations do not add up: more went in than came out, was dropped, buffered, lost or refused.",
      advice:
        "This is a fault of the workload's counting or of Weir: please report it with the run directory."),
    .init(
      name: "iteration-never-ended",
      about: "Iterations were still running when the drain time was over.",
      advice: "Look at what they wait for; give `drain` more time if they are only slow."),
    stuckWhenCancelled, crashedWhenCancelled, hung, crashed,
  ]

  /// A run of a sweep over scheduling steps that did not end.
  package static let stuckWhenCancelled = FindingDeclaration(
    name: "stuck-when-cancelled",
    about:
      "Cancelled at a scheduling step, the run came to a stand: nothing was ready and no timer was set, or it did not end in half the watchdog's time, at least a second.",
    advice:
      "Look at what its tasks wait for: a continuation that the cancel does not resume, or a handler that was installed after the cancel."
  )

  /// A run of a sweep over scheduling steps whose process died.
  package static let crashedWhenCancelled = FindingDeclaration(
    name: "crashed-when-cancelled",
    about:
      "Cancelled at a scheduling step, the process died: a failed precondition, a continuation resumed twice.",
    advice: "Run the step by itself with the command given: the stack is in its report.")

  /// A cell that hung, where a scenario expects that; elsewhere it is a verdict.
  package static let hung = FindingDeclaration(
    name: "hung", about: "The cell hung, as the scenario expects of it.",
    advice:
      "Look at what its tasks and threads wait for; where it used the processor all the while, at what they compute."
  )

  /// A cell whose process died, where a scenario expects that; elsewhere it is a verdict.
  package static let crashed = FindingDeclaration(
    name: "crashed", about: "The cell's process died, as the scenario expects of it.",
    advice: "Look at the message and the stack: a value unwrapped by force, an index out of range.")

  /// Weir's findings and a workload's own, by name.
  package static func all(with workload: [FindingDeclaration]) -> [FindingDeclaration] {
    (builtIn + workload).sorted { $0.name < $1.name }
  }
}
