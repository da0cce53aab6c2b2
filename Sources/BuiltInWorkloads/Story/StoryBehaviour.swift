internal import SeededDraws
internal import StoryPipeline
internal import WorkloadInterface

/// How the scripted user of `story` behaves, as the scenario says.
struct StoryBehaviour: Sendable {
  /// What to do about a failed slot.
  enum OnFailure: String, CaseIterable {
    case retry, skip, abort
  }
  /// How a user has had enough.
  enum Exit: String, CaseIterable {
    /// By telling the coordinator.
    case cancel
    /// By leaving the screen; without a view the reading task is cancelled.
    case leave
    /// By leaving the loop with `break` at the next element, the stream still in hand.
    case `break`
    /// By letting go of the iterator and the stream after the next element.
    case drop
  }

  let nameCount: Int
  let nameThinking, titleThinking: Distribution
  let againShare, regenerateShare, regenerateCancelShare: Double
  let onFailure: OnFailure
  let retryLimit: Int
  let restartShare: Double
  let restartAfter: Distribution
  let cancelShare: Double
  let cancelAfter: Distribution
  /// The stage from whose start a cancel is timed; nil for the story's.
  let cancelFrom: ProviderKind?
  let exit: Exit
  let reading: Distribution?
  let hasView: Bool
  let archetypes, plotPoints, paragraphs: Int

  /// Reads checked values; what is absent takes the declared default.
  init(_ values: ParameterValues) {
    let names = values.record("select-names")
    let regenerate = values.record("regenerate")
    let restart = values.record("restart")
    let cancel = values.record("cancel")
    nameCount = names?.integer("count") ?? 2
    nameThinking = names?.distribution("after") ?? Self.thinking
    titleThinking = values.record("select-title")?.distribution("after") ?? Self.thinking
    againShare = names?.share("again") ?? 0
    regenerateShare = regenerate?.share("share") ?? 0
    regenerateCancelShare = regenerate?.share("cancel") ?? 0
    onFailure = values.choice("on-failure").flatMap(OnFailure.init) ?? .retry
    retryLimit = values.integer("retry-limit") ?? 5
    restartShare = restart?.share("share") ?? 0
    restartAfter = restart?.distribution("after") ?? Self.restarting
    cancelShare = cancel?.share("share") ?? 0
    cancelAfter = cancel?.distribution("after") ?? Self.cancelling
    cancelFrom = cancel?.choice("from").flatMap(ProviderKind.init)
    exit = cancel?.choice("by").flatMap(Exit.init) ?? .cancel
    reading = values.distribution("reading")
    hasView = values.boolean("view") ?? true
    archetypes = values.integer("archetypes") ?? Self.archetypesThereAre
    plotPoints = values.integer("plot-points") ?? 5
    paragraphs = values.integer("paragraphs") ?? 20
  }

  /// Throws for settings that need the user's own loop.
  func check() throws {
    guard hasView else { return }
    if exit == .break || exit == .drop {
      throw WorkloadError(
        "a view model has no loop of the user's own to leave; set `view: false`", key: "behaviour.cancel.by")
    }
    if reading != nil {
      throw WorkloadError(
        "a view model shows what comes at once; set `view: false` for a user who reads",
        key: "behaviour.reading")
    }
    if regenerateCancelShare > 0 {
      throw WorkloadError(
        "a view model has no button for it; set `view: false`", key: "behaviour.regenerate.cancel")
    }
  }

  private static let archetypesThereAre = CharacterArchetype.allCases.count
  private static let thinking = Defaults.lognormal(median: 1_000_000_000, p99: 6_000_000_000)
  private static let restarting = Defaults.constant(100_000_000)
  private static let cancelling = Defaults.uniform(from: 0, to: 4_000_000_000)
}

extension StoryBehaviour {
  /// The keys of `behaviour:`.
  static let declared =
    choosing + [
      ParameterDeclaration(
        "on-failure", .choice(OnFailure.allCases.map(\.rawValue)), default: .choice(OnFailure.retry.rawValue),
        about: "What the user does about a failed slot, outline or prose."),
      ParameterDeclaration(
        "retry-limit", .integer(0...1000), default: .integer(5),
        about: "How often the user asks again for one slot, outline or prose."),
      ParameterDeclaration(
        "restart",
        .record([
          ParameterDeclaration("share", .share, default: .share(0), about: "Users who start names twice."),
          ParameterDeclaration(
            "after", .distribution, default: .distribution(restarting), about: "Time to the second start."),
        ]), about: "Impatient users."),
      ParameterDeclaration(
        "cancel",
        .record([
          ParameterDeclaration("share", .share, default: .share(0), about: "Users who stop before the end."),
          ParameterDeclaration(
            "after", .distribution, default: .distribution(cancelling),
            about: "Time to that from the start of the story, or of a stage."),
          ParameterDeclaration(
            "from", .choice(["story"] + ProviderKind.allCases.map(\.rawValue)), default: .choice("story"),
            about: "What that time is counted from: the story, or the start of one of its stages."),
          ParameterDeclaration(
            "by", .choice(Exit.allCases.map(\.rawValue)), default: .choice(Exit.cancel.rawValue),
            about:
              "How: they cancel the story, leave its screen, or, with `view: false`, `break` out of the loop or `drop` its iterator at the next element."
          ),
        ]), about: "Users who have had enough."),
      ParameterDeclaration(
        "reading", .distribution,
        about: "Time a user takes over one element before the next; needs `view: false`."),
      ParameterDeclaration(
        "view", .boolean, default: .boolean(true),
        about: "Whether a view model on the main actor shows the story; else the user reads the streams."),
      ParameterDeclaration(
        "archetypes", .integer(0...archetypesThereAre), default: .integer(archetypesThereAre),
        about: "Archetypes in the user's brief, of which each name is asked for one."),
      ParameterDeclaration(
        "plot-points", .integer(1...1000), default: .integer(5), about: "Steps of the outline."),
      ParameterDeclaration(
        "paragraphs", .integer(1...100_000), default: .integer(20),
        about: "Paragraphs of the prose, where the provider's `tokens` does not say."),
    ]

  private static let choosing = [
    ParameterDeclaration(
      "select-names",
      .record([
        ParameterDeclaration("count", .integer(1...10), default: .integer(2), about: "Names chosen."),
        ParameterDeclaration(
          "after", .distribution, default: .distribution(thinking),
          about: "Time from the stage's start to the choice, or later, when so many names are shown."),
        ParameterDeclaration(
          "again", .share, default: .share(0),
          about: "Users who then choose once more: as many of the oldest shown, in place of the first choice."
        ),
      ]), about: "How names are chosen: the newest shown, newest first."),
    ParameterDeclaration(
      "select-title",
      .record([
        ParameterDeclaration(
          "after", .distribution, default: .distribution(thinking),
          about: "Time from the stage's start to the choice, or later, when a title is shown.")
      ]), about: "How a title is chosen: the newest shown."),
    ParameterDeclaration(
      "regenerate",
      .record([
        ParameterDeclaration("share", .share, default: .share(0), about: "Users who ask for one name again."),
        ParameterDeclaration(
          "cancel", .share, default: .share(0),
          about: "Those of them who cancel that at once; needs `view: false`."),
      ]), about: "Users who are not content with a name."),
  ]
}
