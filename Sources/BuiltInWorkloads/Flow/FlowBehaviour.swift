internal import SeededDraws
internal import WorkloadInterface

/// What the scripted owner of a flow does, as the scenario says.
struct FlowBehaviour: Sendable {
  /// What the handler answers to a failed preparation.
  enum OnFailure: String, CaseIterable {
    case retry, skip, cancel
    case skipAndPause = "skip-and-pause"
    /// There is no handler.
    case none
  }
  /// How a flow is cancelled.
  enum CancelWay: String, CaseIterable {
    /// The owner's task is cancelled.
    case task
    /// A step answers `cancel`.
    case decision
  }
  /// How a step asks for a pause.
  enum PauseWay: String, CaseIterable {
    /// By its answer.
    case decision
    /// By pausing its own flow.
    case call
  }

  let operations: Int
  let shape: FlowShape.Kind
  let skipShare: Double
  let onFailure: OnFailure
  let retryLimit: Int
  let pauseShare: Double
  let pauseAfter, pauseLength: Distribution
  let confirmShare: Double
  let confirmAfter: Distribution
  let confirmsEarly: Bool
  let confirmWay: PauseWay
  let cancelShare: Double
  let cancelAfter: Distribution
  let cancelWay: CancelWay
  let rerunShare, malformedShare: Double
  let patience: Int64?

  /// Reads checked values; what is absent takes the declared default.
  init(_ values: ParameterValues) {
    let pause = values.record("pause")
    let confirm = values.record("confirm")
    let cancel = values.record("cancel")
    operations = values.integer("operations") ?? 20
    shape = values.choice("dependencies").flatMap(FlowShape.Kind.init) ?? .fan
    skipShare = values.share("skip") ?? 0
    onFailure = values.choice("on-failure").flatMap(OnFailure.init) ?? .retry
    retryLimit = values.integer("retry-limit") ?? 5
    pauseShare = pause?.share("share") ?? 0
    pauseAfter = pause?.distribution("after") ?? Self.pausing
    pauseLength = pause?.distribution("for") ?? Self.pausing
    confirmShare = confirm?.share("share") ?? 0
    confirmAfter = confirm?.distribution("after") ?? Self.pausing
    confirmsEarly = confirm?.boolean("early") ?? false
    confirmWay = confirm?.choice("by").flatMap(PauseWay.init) ?? .decision
    cancelShare = cancel?.share("share") ?? 0
    cancelAfter = cancel?.distribution("after") ?? Self.cancelling
    cancelWay = cancel?.choice("by").flatMap(CancelWay.init) ?? .task
    rerunShare = values.share("run-again") ?? 0
    malformedShare = values.share("malformed") ?? 0
    patience = values.duration("patience")
  }

  /// Whether anybody pauses the flow.
  var pauses: Bool { pauseShare > 0 || confirmShare > 0 || onFailure == .skipAndPause }

  private static let pausing = Defaults.constant(100_000_000)
  private static let cancelling = Defaults.uniform(from: 0, to: 1_000_000_000)
}

extension FlowBehaviour {
  /// The keys of `behaviour:`.
  static let declared =
    steps + [
      ParameterDeclaration(
        "pause",
        .record([
          ParameterDeclaration("share", .share, default: .share(0), about: "Flows paused from outside."),
          ParameterDeclaration(
            "after", .distribution, default: .distribution(pausing),
            about: "Time from the start to the pause."),
          ParameterDeclaration(
            "for", .distribution, default: .distribution(pausing), about: "How long the pause lasts."),
        ]), about: "Owners who pause their flow and resume it."),
      ParameterDeclaration(
        "confirm",
        .record([
          ParameterDeclaration(
            "share", .share, default: .share(0), about: "Flows in which one step asks for a pause."),
          ParameterDeclaration(
            "after", .distribution, default: .distribution(pausing), about: "Time until the owner resumes."),
          ParameterDeclaration(
            "early", .boolean, default: .boolean(false),
            about: "Whether the resume comes before the step has answered."),
          ParameterDeclaration(
            "by", .choice(PauseWay.allCases.map(\.rawValue)), default: .choice(PauseWay.decision.rawValue),
            about: "Whether the step answers `pause`, or calls it."),
        ]), about: "Steps that wait for a confirmation."),
      ParameterDeclaration(
        "cancel",
        .record([
          ParameterDeclaration("share", .share, default: .share(0), about: "Flows that are cancelled."),
          ParameterDeclaration(
            "after", .distribution, default: .distribution(cancelling),
            about: "Time from the start to the cancel of the task."),
          ParameterDeclaration(
            "by", .choice(CancelWay.allCases.map(\.rawValue)), default: .choice(CancelWay.task.rawValue),
            about: "Whether the owner's task is cancelled, or a step answers `cancel`."),
        ]), about: "Flows that end early."),
      ParameterDeclaration(
        "run-again", .share, default: .share(0), about: "Owners who run the same flow a second time."),
      ParameterDeclaration(
        "malformed", .share, default: .share(0),
        about: "Owners who list a step twice, or a prerequisite that is unknown or comes later."),
      ParameterDeclaration(
        "patience", .duration(atLeast: 1),
        about: "How long nothing may happen before the owner gives the flow up; for ever by default."),
    ]

  private static let steps = [
    ParameterDeclaration(
      "operations", .integer(0...100_000), default: .integer(20), about: "Steps of the flow."),
    ParameterDeclaration(
      "dependencies", .choice(FlowShape.Kind.allCases.map(\.rawValue)),
      default: .choice(FlowShape.Kind.fan.rawValue),
      about: "Prerequisites: none; a chain; all on the first; a binary tree; two earlier ones by draw."),
    ParameterDeclaration(
      "skip", .share, default: .share(0), about: "Steps that skip instead of making a value."),
    ParameterDeclaration(
      "on-failure", .choice(OnFailure.allCases.map(\.rawValue)), default: .choice(OnFailure.retry.rawValue),
      about: "What the handler answers to a failed preparation; `none` for no handler."),
    ParameterDeclaration(
      "retry-limit", .integer(0...1000), default: .integer(5),
      about: "Retries of one step; then it is skipped."),
  ]
}
