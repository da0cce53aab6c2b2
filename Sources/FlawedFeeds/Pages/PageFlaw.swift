public import LiveFeeds

/// The ways in which paged results and lines are wrong on purpose. Each replaces one part of the sound one.
public enum PageFlaw: String, CaseIterable, Sendable {
  /// ``PushedPages``
  case producerRunsOn = "producer-runs-on"
  /// ``ParkedPages``
  case producerParked = "producer-parked"
  /// ``CarelessPages``
  case unreadablePageEndsWalk = "unreadable-page-ends-walk"
  /// ``CarelessPages``
  case lastPageLost = "last-page-lost"
  /// ``CarelessPages``
  case emptyResultAskedAgain = "empty-result-asked-again"
  /// ``CarelessPages``
  case repeatedTokenFollowed = "repeated-token-followed"
  /// ``CarelessPages``
  case failureTakenForEnd = "failure-taken-for-end"
  /// ``CarelessPages``
  case cancelLeftToSource = "cancel-left-to-source"
  /// A resumption that begins with the first page.
  case resumedFromStart = "resumed-from-start"
  /// ``EagerPrefix``
  case prefixFetchesOn = "prefix-fetches-on"
  /// ``GatheringBatches``
  case batchOfOneGathers = "batch-of-one-gathers"
  /// ``ChunkwiseSplitter``
  case lineCutAtChunk = "line-cut-at-chunk"
  /// ``ForgetfulSplitter``
  case lastLineLost = "last-line-lost"
  /// ``ReturnKeepingSplitter``
  case carriageReturnKept = "carriage-return-kept"
  /// ``ChunkwiseDecodingSplitter``
  case characterCutAtChunk = "character-cut-at-chunk"
  /// ``ChunkwiseEvents``
  case eventCutAtChunk = "event-cut-at-chunk"

  /// What is wrong, in one line.
  public var about: String {
    switch self {
    case .producerRunsOn: "the task behind a stream fetches on when the reader has left"
    case .producerParked: "the task behind a hand-over waits for ever when the reader has left"
    case .unreadablePageEndsWalk: "a page whose rows are all unreadable is taken for the end"
    case .lastPageLost: "the page that names no next one is not handed on, be it the only one"
    case .emptyResultAskedAgain: "an empty result is asked for again and again"
    case .repeatedTokenFollowed: "a token that leads back is followed without end"
    case .failureTakenForEnd: "a page that fails is taken for the end"
    case .cancelLeftToSource: "a walk leaves cancellation to its source, which is asked to the last page"
    case .resumedFromStart: "after a failure the walk begins again, and its rows come twice"
    case .prefixFetchesOn: "the first rows are had, and one more page is fetched"
    case .batchOfOneGathers: "batches of one come as one big batch"
    case .lineCutAtChunk: "a line that lies in two chunks becomes two"
    case .lastLineLost: "a last line without an end is lost"
    case .carriageReturnKept: "lines that end in CR LF keep the CR"
    case .characterCutAtChunk: "a character that lies in two chunks is damaged"
    case .eventCutAtChunk: "a server-sent event that lies in two chunks is cut"
    }
  }

  /// Where a case of it was reported in public, as `owner/repository#number`; nil where none is known.
  public var report: String? {
    switch self {
    case .producerRunsOn, .producerParked: "apple/swift-async-algorithms#304"
    case .unreadablePageEndsWalk, .emptyResultAskedAgain: "adamayoung/TMDb#505"
    case .lastPageLost: "awslabs/aws-sdk-swift#588"
    case .repeatedTokenFollowed: "soto-project/soto-core#424"
    case .batchOfOneGathers: "apple/swift-async-algorithms#268"
    default: nil
    }
  }

  /// Sound components for pages with the flawed part in place.
  public func pageComponents<Row: Sendable>(of row: Row.Type) -> PageComponents<Row> {
    var parts = PageComponents<Row>()
    switch self {
    case .producerRunsOn: parts.walk = { PushedPages.open($0) }
    case .producerParked: parts.walk = { ParkedPages($0) }
    case .unreadablePageEndsWalk: parts.walk = { CarelessPages($0, slip: .endsAtUnreadablePage) }
    case .lastPageLost: parts.walk = { CarelessPages($0, slip: .losesLastPage) }
    case .emptyResultAskedAgain: parts.walk = { CarelessPages($0, slip: .asksAgainWhenEmpty) }
    case .repeatedTokenFollowed: parts.walk = { CarelessPages($0, slip: .followsRepeatedToken) }
    case .failureTakenForEnd: parts.walk = { CarelessPages($0, slip: .takesFailureForEnd) }
    case .cancelLeftToSource: parts.walk = { CarelessPages($0, slip: .leavesCancelToSource) }
    case .resumedFromStart: parts.resumption = { _ in PagePosition() }
    case .prefixFetchesOn: parts.prefix = { PageFlaw.eagerly($1, of: $0) }
    case .batchOfOneGathers: parts.batches = { PageFlaw.gathered($1, of: $0) }
    default: break
    }
    return parts
  }

  /// Sound components for lines with the flawed part in place.
  public var lineComponents: LineComponents {
    var parts = LineComponents()
    switch self {
    case .lineCutAtChunk: parts.lines = { PageFlaw.lines(of: $0, ChunkwiseSplitter()) }
    case .lastLineLost: parts.lines = { PageFlaw.lines(of: $0, ForgetfulSplitter()) }
    case .carriageReturnKept: parts.lines = { PageFlaw.lines(of: $0, ReturnKeepingSplitter()) }
    case .characterCutAtChunk: parts.lines = { PageFlaw.lines(of: $0, ChunkwiseDecodingSplitter()) }
    case .eventCutAtChunk: parts.events = { PageFlaw.events(of: $0) }
    default: break
    }
    return parts
  }

  private static func eagerly<Row: Sendable, Base: AsyncSequence<Row, any Error> & Sendable>(
    _ count: Int, of rows: Base
  ) -> Rows<Row> {
    EagerPrefix(rows, count: count)
  }

  private static func gathered<Row: Sendable, Base: AsyncSequence<Row, any Error> & Sendable>(
    _ size: Int, of rows: Base
  ) -> Rows<[Row]> {
    GatheringBatches(rows, size: size)
  }

  private static func lines<Base: AsyncSequence<[UInt8], any Error> & Sendable>(
    of chunks: Base, _ splitter: some LineSplitting
  ) -> Rows<String> {
    Lines(chunks, splitter: splitter)
  }

  private static func events<Base: AsyncSequence<[UInt8], any Error> & Sendable>(
    of chunks: Base
  ) -> Rows<ServerSentEvent> {
    ChunkwiseEvents(chunks)
  }
}
