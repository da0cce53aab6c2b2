internal import SeededDraws
internal import WorkloadInterface

/// What one iteration of `pages` does.
struct PagesBehaviour: Sendable {
  /// What the consumer reads.
  enum Reading: String, CaseIterable {
    case pages, rows, lines, events
  }
  /// What is done with rows on their way.
  enum Transform: String, CaseIterable {
    case none, filter, map, prefix
  }
  /// What to do when a page does not come.
  enum OnFailure: String, CaseIterable {
    /// Go on from the page that failed.
    case resume
    /// Give up.
    case abort
  }

  let reads: Reading
  let pages, rows, unreadablePage, repeatedTokenAt: Int
  let transform: Transform
  let prefix, batch: Int
  let onFailure: OnFailure
  let lines, chunk: Int
  let hasReturns, isLastLineEnded, isPlain: Bool
  let reading: Distribution?

  /// Reads checked values; what is absent takes the declared default.
  init(_ values: ParameterValues) {
    reads = values.choice("reads").flatMap(Reading.init) ?? .pages
    pages = values.integer("pages") ?? 5
    rows = values.integer("rows") ?? 20
    unreadablePage = values.integer("unreadable-page") ?? 0
    repeatedTokenAt = values.integer("repeated-token-at") ?? 0
    transform = values.choice("transform").flatMap(Transform.init) ?? .none
    prefix = values.integer("prefix") ?? 10
    batch = values.integer("batch") ?? 0
    onFailure = values.choice("on-failure").flatMap(OnFailure.init) ?? .resume
    lines = values.integer("lines") ?? 20
    chunk = values.integer("chunk") ?? 16
    hasReturns = values.choice("line-end") == "crlf"
    isPlain = values.choice("text") == "plain"
    isLastLineEnded = values.boolean("last-line-ended") ?? true
    reading = values.distribution("reading")
  }

  /// Whether the consumer reads text and not rows.
  var readsText: Bool { reads == .lines || reads == .events }

  /// The last page, from 0, that has a row among the first `prefix`.
  var lastPageNeeded: Int {
    var left = prefix
    for page in 0..<pages where page + 1 != unreadablePage {
      left -= rows
      if left <= 0 { return page }
    }
    return pages - 1
  }

  /// Throws for settings that do not go together.
  func check(_ strategy: PagesStrategy) throws {
    if readsText, strategy.leaving != nil {
      throw WorkloadError("text is read to its end; use `to-the-end`", key: "behaviour.reads")
    }
    if reads != .rows, transform != .none || batch > 0 {
      throw WorkloadError(
        "only rows are transformed or batched; set `reads: rows`", key: "behaviour.transform")
    }
  }

  /// The keys of `behaviour:`.
  static let declared = [
    ParameterDeclaration(
      "reads", .choice(Reading.allCases.map(\.rawValue)), default: .choice(Reading.pages.rawValue),
      about: "Pages, their rows, or the lines or server-sent events of a text that comes in chunks."),
    ParameterDeclaration("pages", .integer(1...1_000_000), default: .integer(5), about: "Pages there are."),
    ParameterDeclaration("rows", .integer(0...100_000), default: .integer(20), about: "Rows of each page."),
    ParameterDeclaration(
      "unreadable-page", .integer(0...1_000_000), default: .integer(0),
      about: "The page, from 1, whose rows cannot be read; 0 for none."),
    ParameterDeclaration(
      "repeated-token-at", .integer(0...1_000_000), default: .integer(0),
      about: "The page, from 1, that names itself as the next; 0 for none."),
    ParameterDeclaration(
      "transform", .choice(Transform.allCases.map(\.rawValue)), default: .choice(Transform.none.rawValue),
      about: "What is done with rows on their way."),
    ParameterDeclaration(
      "prefix", .integer(1...1_000_000), default: .integer(10), about: "Rows that `transform: prefix` takes."),
    ParameterDeclaration(
      "batch", .integer(1...100_000), about: "Rows of a batch; absent for none."),
    ParameterDeclaration(
      "on-failure", .choice(OnFailure.allCases.map(\.rawValue)), default: .choice(OnFailure.resume.rawValue),
      about: "Whether the walk goes on from a page that failed."),
    ParameterDeclaration(
      "lines", .integer(0...1_000_000), default: .integer(20), about: "Lines, or events, of the text."),
    ParameterDeclaration(
      "chunk", .integer(1...1_000_000), default: .integer(16), about: "Bytes of a chunk of the text."),
    ParameterDeclaration(
      "text", .choice(["unicode", "plain"]), default: .choice("unicode"),
      about: "Whether the text has characters of several bytes."),
    ParameterDeclaration(
      "line-end", .choice(["lf", "crlf"]), default: .choice("lf"), about: "What ends a line."),
    ParameterDeclaration(
      "last-line-ended", .boolean, default: .boolean(true), about: "Whether the last line has an end, too."),
    ParameterDeclaration(
      "reading", .distribution, about: "Time the consumer takes over one element before the next."),
  ]
}
