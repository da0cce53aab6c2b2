/// When iterations began and ended, by tag, and which of them the timeline shows task by task.
struct IterationSpans {
  /// The first so many, and so many of the longest.
  static let firstShown = 20
  static let longestShown = 20

  struct Span: Hashable {
    var tag: UInt64
    var start: Int64
    var end: Int64
    /// Whether it was still under way at the end of the trace.
    var isOpen: Bool
  }

  /// All, in order of their begin.
  let spans: [Span]
  /// The tags of those that are shown, ascending.
  let shown: [UInt64]

  init(_ model: TimelineModel) {
    let spans = model.iterations.map { tag, times in
      Span(tag: tag, start: times.start, end: times.end ?? model.end, isOpen: times.end == nil)
    }.sorted { ($0.start, $0.tag) < ($1.start, $1.tag) }
    self.spans = spans
    let longest = spans.sorted { ($1.end - $1.start, $0.tag) < ($0.end - $0.start, $1.tag) }
    shown = Set((spans.prefix(Self.firstShown) + longest.prefix(Self.longestShown)).map(\.tag)).sorted()
  }
}
