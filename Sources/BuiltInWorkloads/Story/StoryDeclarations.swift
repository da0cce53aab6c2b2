internal import FlawedStories
internal import SeededDraws
internal import StoryPipeline
internal import WorkloadInterface

/// What `story` declares beside its behaviour.
enum StoryDeclarations {
  static let providers = [
    ProviderDeclaration(
      name: "names", about: "Makes one name for each call.",
      defaultScript: ProviderScript(latency: Defaults.lognormal(median: 120_000_000, p99: 900_000_000))),
    ProviderDeclaration(
      name: "titles", about: "Makes one title for each call.",
      defaultScript: ProviderScript(latency: Defaults.lognormal(median: 100_000_000, p99: 700_000_000))),
    ProviderDeclaration(
      name: "plot", about: "Makes one step of the outline for each call.",
      defaultScript: ProviderScript(latency: Defaults.lognormal(median: 200_000_000, p99: 900_000_000))),
    ProviderDeclaration(
      name: "prose", about: "Writes the story, paragraph by paragraph.", isStreaming: true,
      defaultScript: ProviderScript(
        latency: Defaults.constant(250_000_000), firstToken: Defaults.constant(250_000_000),
        betweenTokens: Defaults.exponential(mean: 20_000_000))),
  ]

  static let roles = ["StoryCoordinator": "coordinator"]

  static let metrics = [
    MetricDeclaration(
      "regenerations", .counter, .count, .neutral,
      about: "Names that scripted users asked for again by their own choice."),
    MetricDeclaration(
      "slots.failed", .counter, .count, .lower, about: "Failed slots that stages reported to their users."),
  ]

  /// The finding that names a flaw.
  static func finding(naming flaw: StoryFlaw) -> String {
    switch flaw {
    case .uncancelledProseTask: "orphaned-task"
    case .lastBatchLost: LostLastFlush.declaration.name
    case .deafProviderAskedOn: AskedAfterCancel.declaration.name
    case .cancellationAsFailure: CancellationReportedAsFailure.declaration.name
    case .slotByCount: WrongSlot.declaration.name
    case .unboundedCoordinatorStream: UnboundedRunAhead.declaration.name
    case .unflushedSelectionLost: LostSelection.declaration.name
    case .cancelBeforeRegistrationLost: LostCancel.declaration.name
    case .endedTasksKept: EndedTaskKept.declaration.name
    case .secondStartTwoProducers: TwoProducers.declaration.name
    case .viewModelKeptAlive: RetainedViewModel.declaration.name
    case .uncancelledStageTask: "orphaned-task"
    case .chosenInSetOrder: SelectionReordered.declaration.name
    case .earlierChoiceKept: EarlierChoiceKept.declaration.name
    case .failureSwallowed: FailureSwallowed.declaration.name
    case .proseFailureAsEnd: ProseFailureAsEnd.declaration.name
    case .archetypeForced: "crashed"
    }
  }

  /// Flaws that replace the stage's driver cannot stand beside a registry that is its own driver.
  static func check(_ flaw: StoryFlaw, with strategy: RegistryStrategy) throws {
    guard case .insideActor = strategy else { return }
    switch flaw {
    case .deafProviderAskedOn, .cancellationAsFailure:
      throw WorkloadError(
        "`\(flaw.rawValue)` replaces the driver of a stage, which `inside-actor` replaces too; use another strategy",
        key: "variant")
    default: return
    }
  }
}
