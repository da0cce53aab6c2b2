internal import LiveFeeds
internal import SeededDraws
internal import WorkloadInterface

/// What one iteration of `feed` does.
struct FeedBehaviour: Sendable {
  /// How a consumer leaves.
  enum Leaving: String, CaseIterable {
    /// When the feed ends.
    case stay
    /// Out of its loop; nothing holds the stream then.
    case `break`
    /// By a cancel of its task; a view model is stopped.
    case cancel
    /// By letting go of the stream, or of the view model.
    case drop
  }

  let ticks, burst, sources, consumers: Int
  let isShared, hasView, hasHub: Bool
  let form: FeedRequest.Form
  let threads: Int
  let reading: Distribution?
  let restartAfter: Int
  let leaving: Leaving
  let leavesAfter: Int
  let lateTicks: Int
  let patience: Int64

  /// Reads checked values; what is absent takes the declared default.
  init(_ values: ParameterValues) {
    let leave = values.record("leave")
    ticks = values.integer("ticks") ?? 50
    burst = values.integer("burst") ?? 1
    sources = values.integer("sources") ?? 1
    consumers = values.integer("consumers") ?? 1
    isShared = values.boolean("shared") ?? false
    hasView = values.boolean("view") ?? false
    hasHub = values.boolean("hub") ?? false
    form = values.choice("form").flatMap(FeedRequest.Form.init) ?? .closure
    threads = values.integer("threads") ?? 0
    reading = values.distribution("reading")
    restartAfter = values.integer("restart-after") ?? 0
    leaving = leave?.choice("by").flatMap(Leaving.init) ?? .stay
    leavesAfter = leave?.integer("after") ?? 10
    lateTicks = values.integer("late-ticks") ?? 0
    patience = values.duration("patience") ?? 2_000_000_000
  }

  /// The symbols that there are.
  var symbols: [String] { (0..<sources).map { "S\($0)" } }

  /// Throws for settings that do not go together.
  func check(_ strategy: FeedStrategy) throws {
    if hasView, leaving == .break {
      throw WorkloadError("a view model has no loop to break out of; use `cancel`", key: "behaviour.leave.by")
    }
    if hasView, strategy == .pulled {
      throw WorkloadError("a view model follows a market that calls back", key: "behaviour.view")
    }
    if hasView, consumers > 1 || isShared || hasHub {
      throw WorkloadError("a view model is one consumer with a feed of its own", key: "behaviour.view")
    }
    if sources != 1, hasView || hasHub || strategy == .pulled {
      throw WorkloadError(
        "several sources, or none, are merged into plain streams: no view, no hub, no `pull`",
        key: "behaviour.sources")
    }
    if strategy == .pulled, isShared || hasHub {
      throw WorkloadError("what is pulled is pulled by one consumer", key: "behaviour.consumers")
    }
    if restartAfter > 0, !hasView {
      throw WorkloadError(
        "only a view model can start again; set `view: true`", key: "behaviour.restart-after")
    }
  }

  /// The keys of `behaviour:`.
  static let declared = [
    ParameterDeclaration(
      "ticks", .integer(0...100_000_000), default: .integer(50),
      about: "Prices that come in an iteration, over all sources."),
    ParameterDeclaration(
      "burst", .integer(1...100_000), default: .integer(1), about: "Prices that come at once."),
    ParameterDeclaration(
      "sources", .integer(0...64), default: .integer(1),
      about: "Symbols; other than one are merged into one stream."),
    ParameterDeclaration(
      "consumers", .integer(1...100_000), default: .integer(1), about: "Who reads, each a stream of its own."),
    ParameterDeclaration(
      "shared", .boolean, default: .boolean(false),
      about: "All consumers read one stream; a price goes to one of them."),
    ParameterDeclaration(
      "hub", .boolean, default: .boolean(false),
      about: "All consumers' streams hang on one subscription, and are closed together."),
    ParameterDeclaration(
      "view", .boolean, default: .boolean(false), about: "A view model on the main actor is the consumer."),
    ParameterDeclaration(
      "form", .choice(FeedRequest.Form.allCases.map(\.rawValue)), default: .choice("closure"),
      about: "How the stream is made: by a closure, or as a pair with its continuation."),
    ParameterDeclaration(
      "threads", .integer(0...64), default: .integer(0),
      about: "Threads that call back, on the real clock; 0 for a task, as on the virtual clock."),
    ParameterDeclaration(
      "reading", .distribution, about: "Time a consumer takes over one price before the next."),
    ParameterDeclaration(
      "restart-after", .integer(0...100_000), default: .integer(0),
      about: "The view model is started again after so many prices; 0 for never."),
    ParameterDeclaration(
      "leave",
      .record([
        ParameterDeclaration(
          "by", .choice(Leaving.allCases.map(\.rawValue)), default: .choice(Leaving.stay.rawValue),
          about: "How a consumer leaves: with the feed, by break, by a cancel, by letting go."),
        ParameterDeclaration(
          "after", .integer(1...1_000_000), default: .integer(10), about: "Prices it reads before that."),
      ]), about: "Consumers who leave before the end."),
    ParameterDeclaration(
      "late-ticks", .integer(0...100), default: .integer(0),
      about: "Prices with which the source still calls back after it was told to stop."),
    ParameterDeclaration(
      "patience", .duration(atLeast: 1_000_000), default: .duration(2_000_000_000),
      about: "How long a consumer with nothing to read waits after all sources have ended."),
  ]
}
