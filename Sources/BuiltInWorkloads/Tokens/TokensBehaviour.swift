internal import SeededDraws
internal import WorkloadInterface

/// How the scripted user of `tokens` behaves, as the scenario says.
struct TokensBehaviour: Sendable {
  /// How a user has had enough.
  enum Exit: String, CaseIterable {
    /// By the stop button.
    case stop
    /// By sending the next prompt.
    case prompt
    /// By leaving the screen.
    case leave
  }

  /// Prompts of one conversation.
  let prompts: Int
  /// Pause before each prompt after the first; not before one that interrupts.
  let think: Distribution?
  /// Share of users who interrupt the first reply.
  let interruptShare: Double
  /// From the first prompt to that.
  let interruptAfter: Distribution
  /// Tokens read before that, instead of a time.
  let interruptAfterTokens: Int?
  /// Turns of the executor that the user gives away before that, at most: a place between two jobs.
  let interruptYields: Int
  let exit: Exit
  /// Tokens of a reply where the provider does not say.
  let tokens: Int
  /// Bytes of a token where text is cut by bytes; nil where tokens are whole words.
  let tokenBytes: Int?
  /// Bytes that the engine holds for each token until it has ended.
  let memoryPerToken: Int
  /// Whether all conversations of the cell share one engine.
  let sharesEngine: Bool

  /// Reads checked values; what is absent takes the declared default.
  init(_ values: ParameterValues) throws {
    let interrupt = values.record("interrupt")
    prompts = values.integer("prompts") ?? 1
    think = values.distribution("think")
    interruptShare = interrupt?.share("share") ?? 0
    interruptAfter = interrupt?.distribution("after") ?? Self.interrupting
    interruptAfterTokens = interrupt?.integer("after-tokens")
    interruptYields = interrupt?.integer("yields") ?? 0
    exit = interrupt?.choice("by").flatMap(Exit.init) ?? .stop
    tokens = values.integer("tokens") ?? 200
    tokenBytes = values.integer("token-bytes")
    memoryPerToken = values.integer("memory-per-token") ?? 16_384
    sharesEngine = values.boolean("shared-engine") ?? false
    if exit == .prompt, interruptShare > 0, prompts < 2 {
      throw WorkloadError(
        "a user who interrupts with the next prompt needs two; set `prompts: 2`", key: "behaviour.prompts")
    }
  }

  private static let interrupting = Defaults.uniform(from: 0, to: 4_000_000_000)

  /// The keys of `behaviour:`.
  static let declared = [
    ParameterDeclaration(
      "prompts", .integer(1...1000), default: .integer(1), about: "Prompts of one conversation."),
    ParameterDeclaration("think", .distribution, about: "Pause before each prompt after the first."),
    ParameterDeclaration(
      "interrupt",
      .record([
        ParameterDeclaration(
          "share", .share, default: .share(0), about: "Users who interrupt their first reply."),
        ParameterDeclaration(
          "after", .distribution, default: .distribution(interrupting),
          about: "Time from the first prompt to that."),
        ParameterDeclaration(
          "after-tokens", .integer(1...1_000_000), about: "Tokens read before that, instead of a time."),
        ParameterDeclaration(
          "yields", .integer(0...1000), default: .integer(0),
          about: "Up to so many turns given away at that time, by draw: interrupts between any two jobs."),
        ParameterDeclaration(
          "by", .choice(Exit.allCases.map(\.rawValue)), default: .choice(Exit.stop.rawValue),
          about: "By the stop button, the next prompt, or leaving the screen."),
      ]), about: "Users who have had enough."),
    ParameterDeclaration(
      "tokens", .integer(1...10_000_000), default: .integer(200),
      about: "Tokens of a reply, where the provider's `tokens` does not say."),
    ParameterDeclaration(
      "token-bytes", .integer(1...1024),
      about: "Text is cut every so many bytes, within characters too; else a token is a scripted value."),
    ParameterDeclaration(
      "memory-per-token", .integer(0...1 << 30), default: .integer(16_384),
      about: "Bytes that the engine holds for each token until it has ended."),
    ParameterDeclaration(
      "shared-engine", .boolean, default: .boolean(false),
      about: "Whether all conversations wait for one engine; else each has its own."),
  ]
}

/// The scripted user of one conversation, as a value: all that chance decides is drawn before it starts.
struct ChattingUser: Sendable {
  /// The time to the interruption, in ns, and the turns given away then; nil for a patient user.
  let interruptAfter: Int64?
  let yields: Int

  init(_ behaviour: TokensBehaviour, draws: IterationDraws, stream: DrawStream) {
    let interrupts = draws.isChosen(stream, share: behaviour.interruptShare)
    interruptAfter = interrupts ? draws.nanoseconds(behaviour.interruptAfter, stream, slot: 1) : nil
    yields =
      behaviour.interruptYields == 0
      ? 0 : Int(stream.bits(iteration: draws.iteration, slot: 2) % UInt64(behaviour.interruptYields + 1))
  }
}
