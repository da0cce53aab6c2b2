import FlawedFeeds
import LiveFeeds
import Measurement
import SeededDraws
import Testing
import WorkloadInterface

@testable import BuiltInWorkloads

/// The smallest load that shows a flaw of a feed or of pages, and what its oracle finds in it.
struct FeedFlawCase: Sendable, CustomTestStringConvertible {
  let workload: any Workload
  let flaw: String
  let finding: String
  let figure: String
  var strategy: StrategySelection
  var behaviour: [String: ParameterValue]
  var failures: [FailureScript] = []
  var isDeaf = false
  var testDescription: String { flaw }

  static func leaving(_ by: String, after: Int) -> ParameterValue {
    .record(ParameterValues(["by": .choice(by), "after": .integer(after)]))
  }

  private static func feed(
    _ flaw: FeedFlaw, _ figure: String, _ behaviour: [String: ParameterValue],
    _ strategy: StrategySelection = StrategySelection(name: "unbounded", kind: "unbounded")
  ) -> FeedFlawCase {
    FeedFlawCase(
      workload: FeedWorkload(), flaw: flaw.rawValue, finding: FeedWorkload.finding(naming: flaw),
      figure: figure, strategy: strategy, behaviour: behaviour)
  }

  static func kept(_ kind: String, _ limit: Int) -> StrategySelection {
    StrategySelection(
      name: "\(kind)-\(limit)", kind: kind, parameters: ParameterValues(["limit": .integer(limit)]))
  }

  /// All but the one that hangs its process.
  static let feeds: [FeedFlawCase] = [
    feed(
      .neverUnsubscribed, "subscriptions-open", ["ticks": .integer(40), "leave": leaving("break", after: 5)]),
    feed(
      .secondStartDoubles, "shown-twice",
      ["ticks": .integer(200), "view": .boolean(true), "restart-after": .integer(5)]),
    feed(
      .shownAfterStop, "shown-after-stop",
      [
        "ticks": .integer(20), "burst": .integer(20), "view": .boolean(true),
        "leave": leaving("cancel", after: 3),
      ]),
    feed(
      .modelKeptByFeed, "updates-after-leaving",
      ["ticks": .integer(200), "view": .boolean(true), "leave": leaving("drop", after: 5)]),
    feed(
      .dropMisreported, "reported-and-delivered", ["ticks": .integer(80), "burst": .integer(8)],
      kept("newest", 2)),
    feed(
      .pushedWithoutBound, "depth-peak", ["ticks": .integer(400), "burst": .integer(100)], kept("oldest", 8)),
    feed(.emptyMergeNeverEnds, "never-ended", ["sources": .integer(0), "patience": .duration(20_000_000)]),
    feed(
      .oneReaderWoken, "never-ended",
      [
        "ticks": .integer(0), "consumers": .integer(10), "shared": .boolean(true),
        "patience": .duration(200_000_000),
      ]),
  ]

  private static func pages(
    _ flaw: PageFlaw, _ figure: String, _ behaviour: [String: ParameterValue],
    strategy: StrategySelection = StrategySelection(name: "to-the-end", kind: "to-the-end"),
    failures: [FailureScript] = [], isDeaf: Bool = false
  ) -> FeedFlawCase {
    FeedFlawCase(
      workload: PagesWorkload(), flaw: flaw.rawValue, finding: PagesWorkload.finding(naming: flaw),
      figure: figure, strategy: strategy, behaviour: behaviour, failures: failures, isDeaf: isDeaf)
  }

  private static func text(_ reads: String, chunk: Int, _ more: [String: ParameterValue] = [:])
    -> [String: ParameterValue]
  {
    ["reads": .choice(reads), "lines": .integer(6), "chunk": .integer(chunk)].merging(more) { $1 }
  }

  /// All but the one that only the probe can see.
  static let pages: [FeedFlawCase] = {
    let third = [FailureScript(kind: .reset, selector: .calls([3]))]
    let after = StrategySelection(
      name: "break-3", kind: "break", parameters: ParameterValues(["after": .integer(3)]))
    return [
      pages(.producerRunsOn, "fetched-after-leaving", ["pages": .integer(30)], strategy: after),
      pages(.unreadablePageEndsWalk, "pages-unfetched", ["unreadable-page": .integer(3)]),
      pages(.lastPageLost, "rows-lost", ["pages": .integer(1), "rows": .integer(3)]),
      pages(.emptyResultAskedAgain, "pages-fetched-again", ["pages": .integer(1), "rows": .integer(0)]),
      pages(.repeatedTokenFollowed, "pages-fetched-again", ["repeated-token-at": .integer(2)]),
      pages(.failureTakenForEnd, "pages-unfetched", [:], failures: third),
      pages(
        .cancelLeftToSource, "fetched-after-leaving", ["pages": .integer(30)],
        strategy: StrategySelection(
          name: "cancel-3", kind: "cancel", parameters: ParameterValues(["after": .integer(3)])),
        isDeaf: true),
      pages(.resumedFromStart, "pages-fetched-again", [:], failures: third),
      pages(
        .prefixFetchesOn, "pages-beyond",
        ["reads": .choice("rows"), "transform": .choice("prefix"), "prefix": .integer(20)]),
      pages(
        .batchOfOneGathers, "batches-wrong",
        ["reads": .choice("rows"), "pages": .integer(1), "rows": .integer(3), "batch": .integer(1)]),
      pages(.lineCutAtChunk, "parts", text("lines", chunk: 40, ["text": .choice("plain")])),
      pages(.lastLineLost, "lines-missing", text("lines", chunk: 16, ["last-line-ended": .boolean(false)])),
      pages(
        .carriageReturnKept, "lines-with-return", text("lines", chunk: 16, ["line-end": .choice("crlf")])),
      pages(.characterCutAtChunk, "lines-damaged", text("lines", chunk: 3)),
      pages(.eventCutAtChunk, "events-broken", text("events", chunk: 24, ["text": .choice("plain")])),
    ]
  }()
}

@Suite("Feeds and pages")
struct FeedWorkloadTests {
  private func run(_ flaw: FeedFlawCase, isFlawed: Bool) async throws -> Harness.Result {
    let name = flaw.workload.declaration.providers[0].name
    let script = try Harness.script(
      milliseconds: 1, isStreaming: flaw.workload.declaration.providers[0].isStreaming,
      failures: flaw.failures, isDeaf: flaw.isDeaf)
    return try await Harness(
      workload: flaw.workload, strategy: flaw.strategy, flaw: isFlawed ? flaw.flaw : nil,
      behaviour: flaw.behaviour, providers: [name: script],
      // So that prices wait when a view model is stopped.
      sink: SinkDescription(update: flaw.flaw == FeedFlaw.shownAfterStop.rawValue ? 1_000_000 : 0)
    ).run()
  }

  @Test(
    "Each flaw is found under its own name and no other, with figures",
    arguments: FeedFlawCase.feeds + FeedFlawCase.pages)
  func flawed(_ flaw: FeedFlawCase) async throws {
    var result = try await run(flaw, isFlawed: true)
    for _ in 0..<3 where result.findings.isEmpty { result = try await run(flaw, isFlawed: true) }
    #expect(result.findings.map(\.name) == [flaw.finding])
    #expect((result.findings.first?.evidence[flaw.figure] ?? 0) > 0, "\(result.findings)")
    #expect(result.books.made == result.books.accounted)
  }

  @Test(
    "The sound twin under the same load has no finding", arguments: FeedFlawCase.feeds + FeedFlawCase.pages)
  func sound(_ flaw: FeedFlawCase) async throws {
    let result = try await run(flaw, isFlawed: false)
    #expect(result.findings.isEmpty, "\(result.findings)")
    #expect(result["elements.lost"] == 0)
    #expect(result.books.made == result.books.accounted)
  }

  @Test("A merge of no sources says how many it has, ended or not")
  func noSources() async throws {
    let merge = try #require(FeedFlawCase.feeds.first { $0.flaw == FeedFlaw.emptyMergeNeverEnds.rawValue })
    let sound = try await run(merge, isFlawed: false)
    #expect(sound.gauges["feed.sources"] == 0)
    #expect(sound["elements.made"] == 0)
    // Over all iterations it is the same merge: no sum.
    #expect(try await run(merge, isFlawed: true).findings.first?.figures["sources"] == 0)
    var two = merge
    two.behaviour["sources"] = .integer(2)
    #expect(try await run(two, isFlawed: false).gauges["feed.sources"] == 2)
  }

  @Test("Growth without a bound is told in prices and in bytes for each second")
  func growth() throws {
    let summary = FeedObservation.Summary(peak: 90_256, rising: 10_000_000_000)
    let finding = try #require(FeedOracles.judge(summary, limit: 256, slack: 1, iteration: 0).first)
    #expect(finding.figures["growth-per-second"] == 9_000)
    #expect(finding.figures["growth-bytes-per-second"] == 9_000 * Int64(MemoryLayout<Price>.stride))
    // Of two streams it is the growth of one, not a sum.
    let recorder = Recorder(clock: CellClock())
    recorder.report(finding)
    recorder.report(finding)
    let both = try #require(recorder.findings().first)
    #expect(both.figures["growth-per-second"] == 9_000)
    #expect(both.figures["depth-peak"] == 180_512)
  }

  @Test("Four threads call back into each kind of buffer: every price has one fate")
  func threads() async throws {
    for strategy in [
      StrategySelection(name: "unbounded", kind: "unbounded"), FeedFlawCase.kept("newest", 4),
      FeedFlawCase.kept("oldest", 4),
    ] {
      for form in ["closure", "make-stream"] {
        let result = try await Harness(
          workload: FeedWorkload(), strategy: strategy,
          behaviour: [
            "ticks": .integer(2_000), "burst": .integer(200), "threads": .integer(4),
            "consumers": .integer(2), "form": .choice(form),
          ]
        ).run()
        #expect(result["elements.made"] == 16_000)
        #expect(result.books.made == result.books.accounted)
        #expect(result.findings.isEmpty, "\(result.findings)")
        #expect(result["feed.ended{ending=finished}"] == 8)
      }
    }
  }

  @Test(
    "A provider that fails half-way ends the feed; nothing is lost", arguments: FailureScript.Kind.allCases)
  func failures(_ kind: FailureScript.Kind) async throws {
    guard kind != .hang else { return }
    let script = try Harness.script(
      milliseconds: 1, isStreaming: true,
      failures: [FailureScript(kind: kind, selector: .calls([1]), after: 2_000_000)])
    let result = try await Harness(
      workload: FeedWorkload(), strategy: FeedFlawCase.kept("newest", 4),
      behaviour: ["ticks": .integer(20), "consumers": .integer(2)], providers: ["prices": script]
    ).run()
    #expect(result.outcomes.allSatisfy { $0 == .failed(reason: kind.rawValue) })
    #expect(result.findings.isEmpty, "\(result.findings)")
    #expect(result.books.made == result.books.accounted)
  }

  @Test("Left after each number of prices, in each way: every price has one fate", arguments: 1...12)
  func leavingFeeds(after: Int) async throws {
    for by in ["break", "cancel", "drop"] {
      for hasView in [false, true] where !(hasView && by == "break") {
        let result = try await Harness(
          workload: FeedWorkload(), strategy: FeedFlawCase.kept("newest", 3),
          behaviour: [
            "ticks": .integer(24), "burst": .integer(4), "late-ticks": .integer(2),
            "view": .boolean(hasView), "leave": FeedFlawCase.leaving(by, after: after),
          ], iterations: 2
        ).run()
        #expect(result.findings.isEmpty, "\(by): \(result.findings)")
        #expect(result["elements.lost"] == 0)
        #expect(result.books.made == result.books.accounted)
      }
    }
  }

  @Test("Left after each number of pages, in each way: no page more is fetched", arguments: 1...5)
  func leavingPages(after: Int) async throws {
    for by in ["break", "cancel", "drop"] {
      let strategy = StrategySelection(
        name: "\(by)-\(after)", kind: by, parameters: ParameterValues(["after": .integer(after)]))
      let result = try await Harness(
        workload: PagesWorkload(), strategy: strategy, behaviour: ["unreadable-page": .integer(2)]
      ).run()
      #expect(result.findings.isEmpty, "\(by): \(result.findings)")
      #expect(result["pages.fetched"] == result["pages.read"])
      #expect(result["pages.fetched"] == Int64(4 * after))
      #expect(result["pages.fetched-after-leaving"] == 0)
      #expect(result.books.made == result.books.accounted)
    }
  }

  @Test("Settings that do not go together are refused")
  func refused() {
    for (strategy, behaviour): (String, [String: ParameterValue]) in [
      ("pull", ["sources": .integer(2)]), ("pull", ["shared": .boolean(true)]),
      ("unbounded", ["restart-after": .integer(2)]),
      ("unbounded", ["view": .boolean(true), "consumers": .integer(2)]),
    ] {
      #expect(throws: WorkloadError.self) {
        let selection = StrategySelection(name: strategy, kind: strategy)
        try FeedBehaviour(ParameterValues(behaviour)).check(FeedStrategy(selection))
      }
    }
  }
}

@Suite("Fates of ticks")
struct TickLedgerTests {
  @Test("Events of one tick may come in any order")
  func order() {
    var ledger = TickLedger()
    for number in [2, 0, 1] { _ = ledger.offer(number) }
    // Delivered before its own thread has said that the stream has it.
    _ = ledger.deliver(0)
    ledger.accept(0)
    ledger.accept(2)
    // Pushed out before that.
    _ = ledger.drop(1)
    ledger.accept(1)
    _ = ledger.drop(2)
    #expect(ledger.level == 0 && ledger.waiting == 0 && ledger.unaccounted == 0)
    #expect(ledger.droppedAndDelivered == 0)
  }

  @Test("A tick that is said to be dropped and delivered is counted, in either order")
  func both() {
    var ledger = TickLedger()
    for number in 0..<2 { _ = ledger.offer(number) }
    _ = ledger.drop(0)
    _ = ledger.deliver(0)
    _ = ledger.deliver(1)
    _ = ledger.drop(1)
    #expect(ledger.droppedAndDelivered == 2)
  }

  @Test("A hundred thousand ticks in order need room for two")
  func bounded() {
    var window = FateWindow()
    for number in 0..<100_000 {
      let marks = (window.mark(number, .offered), window.mark(number, .delivered))
      if marks != (.unseen, .offered) { Issue.record("\(number): \(marks)") }
    }
    #expect(window.remembered < 2_100)
    #expect(window.openCount == 0)
    let forgotten = window.mark(0, .offered)
    #expect(forgotten == nil)
  }
}
