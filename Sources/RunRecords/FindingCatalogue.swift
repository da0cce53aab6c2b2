package import WorkloadInterface

/// The findings that Weir itself can report, whatever the workload; `weir explain` prints them.
package enum FindingCatalogue {
  /// Weir's own findings.
  package static let builtIn: [FindingDeclaration] = [
    .init(
      name: "orphaned-task",
      about: "A task was alive after the iteration that created it had ended and the grace time had passed.",
      advice:
        "Keep the task and cancel it when its consumer leaves: in the stream's onTermination, or in the iterator's deinit."
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
    hung,
  ]

  /// A cell that hung, where a scenario expects that; elsewhere it is a verdict.
  package static let hung = FindingDeclaration(
    name: "hung", about: "The cell hung, as the scenario expects of it.",
    advice: "Look at what its tasks and threads wait for.")

  /// Weir's findings and a workload's own, by name.
  package static func all(with workload: [FindingDeclaration]) -> [FindingDeclaration] {
    (builtIn + workload).sorted { $0.name < $1.name }
  }
}
