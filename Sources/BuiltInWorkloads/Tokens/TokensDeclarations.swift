internal import FlawedTokens
internal import SeededDraws
internal import WorkloadInterface

/// What `tokens` declares beside its behaviour.
enum TokensDeclarations {
  /// The cadence where a scenario sets none.
  static let cadence = Duration.milliseconds(50)

  static let strategies = [
    StrategyDeclaration(name: "per-token", about: "Every token updates the view when it comes."),
    StrategyDeclaration(
      name: "cadence", about: "Text is collected and shown at a fixed cadence, and at the end.",
      parameters: [
        ParameterDeclaration(
          "every", .duration(atLeast: 1), default: .duration(50_000_000),
          about: "Least time between two updates.")
      ]),
  ]

  static let providers = [
    ProviderDeclaration(
      name: "engine", about: "Writes an answer, token by token.", isStreaming: true,
      defaultScript: ProviderScript(
        latency: Defaults.constant(200_000_000), firstToken: Defaults.constant(200_000_000),
        betweenTokens: Defaults.exponential(mean: 20_000_000)))
  ]

  static let metrics = [
    MetricDeclaration(
      "tokens.read", .counter, .count, .higher,
      about: "Tokens that a reader took out of its stream; `elements.made` less these were made for nobody."),
    MetricDeclaration(
      "overlap", .counter, .count, .lower, about: "Generations started while the engine ran another."),
    MetricDeclaration(
      "replies", labels: ["ending"], .counter, .count, .neutral,
      about: "Replies by ending: complete, interrupted or failed."),
    MetricDeclaration(
      "replies.text-kept", .counter, .bytes, .higher,
      about: "Text, in UTF-8, that interrupted and failed replies kept."),
    MetricDeclaration(
      "flush.interval", .distribution, .nanoseconds, .neutral, window: .measured,
      about: "Time between two updates of one reply, the last one at its end left out."),
    MetricDeclaration(
      "flush.rate", .gauge, .perSecond, .lower,
      about: "Updates a second while a reply is shown, rounded: intervals between updates over their time."),
    MetricDeclaration(
      "engine.memory", .gauge, .bytes, .lower,
      about: "Most memory that the engine's generations held at once, as scripted."),
    MetricDeclaration(
      "engine.memory-after-left", .counter, .count, .lower,
      about: "Memory held after the reader had left, times how long: byte-seconds."),
  ]

  /// The finding that names a flaw.
  static func finding(naming flaw: TokenFlaw) -> String {
    switch flaw {
    case .noTerminationHandler, .sessionNeverClosed: EngineNotStopped.declaration.name
    case .streamReturningActor: TurnOracles.overlap.name
    case .lastComeFirstServed: TurnOracles.overtaken.name
    case .cancelledCallerServed: TurnOracles.forNobody.name
    case .tokensInNewestReply: StaleTokens.declaration.name
    case .interruptionAsCompletion: InterruptionAsCompletion.declaration.name
    case .interruptionAsFailure: InterruptionAsFailure.declaration.name
    case .partialReplyDiscarded: PartialReplyLost.declaration.name
    case .flushLostOnCancel, .flushLostOnFailure: LostLastText.declaration.name
    case .heldInSilence: TextHeldInSilence.declaration.name
    case .updatePerToken: CadenceIgnored.declaration.name
    case .collectedFirst: BurstAtEnd.declaration.name
    case .decodedByToken: BrokenCharacters.declaration.name
    case .conversationKeptAlive: RetainedConversation.declaration.name
    }
  }
}
