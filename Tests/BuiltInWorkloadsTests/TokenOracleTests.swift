import Testing
import TokenStreaming
import WorkloadInterface

@testable import BuiltInWorkloads

/// What the oracles of `tokens` must see, and what they must let pass on the slowest machine.
@Suite("Token oracles")
struct TokenOracleTests {
  private let first = Prompt(number: 0, text: "")
  private let second = Prompt(number: 1, text: "")

  private func update(_ tokens: Range<Int>, _ cause: FlushCause = .age, text: String = "x") -> TextUpdate {
    TextUpdate(text: text, tokens: tokens, cause: cause)
  }

  /// Names of what is found in events at these times, in ms.
  private func names(
    _ events: [(Int64, TokenStoryEvent)], cadence: Duration? = nil, isVirtual: Bool = false,
    isConversationAlive: Bool = false
  ) -> [String] {
    findings(events, cadence: cadence, isVirtual: isVirtual, isConversationAlive: isConversationAlive)
      .map(\.name)
  }

  private func findings(
    _ events: [(Int64, TokenStoryEvent)], cadence: Duration? = nil, isVirtual: Bool = false,
    isConversationAlive: Bool = false
  ) -> [ReportedFinding] {
    var oracles = TokenOracles(cadence: cadence, isVirtual: isVirtual)
    for (time, event) in events { oracles.see(event, at: time * 1_000_000) }
    let end = TokenStoryEnd(hasEnded: true, time: 100_000_000_000, isConversationAlive: isConversationAlive)
    return oracles.findings(at: end, iteration: 0)
  }

  @Test("A token made while the stop is on its way is nobody's fault; one made with no stop is")
  func engineNotStopped() {
    let read: [(Int64, TokenStoryEvent)] = [
      (0, .engineStarted(first)), (1, .made(first)), (1, .read(first)),
      (1, .grew(reply: 0, update(0..<1), first)),
      (2, .interrupted(first)),
    ]
    let deaf: [(Int64, TokenStoryEvent)] = [
      (2, .stopCalled(first)), (2, .replyEnded(first, .interrupted, bytes: 1)), (9, .made(first)),
      (9, .engineEnded(first, .finished)),
    ]
    #expect(names(read + deaf).isEmpty)
    #expect(names(read + deaf.dropFirst()) == ["engine-not-stopped"])
    // It had ended by itself before the reader did.
    #expect(
      names(read + [(3, .engineEnded(first, .finished)), (4, .replyEnded(first, .interrupted, bytes: 1))])
        .isEmpty)
  }

  @Test("A reply is complete when the engine finished it, and failed when the engine failed")
  func endings() {
    let start: [(Int64, TokenStoryEvent)] = [(0, .engineStarted(first)), (1, .made(first))]
    #expect(
      names(start + [(2, .stopCalled(first)), (3, .replyEnded(first, .complete, bytes: 0))])
        == ["interruption-taken-for-completion"])
    #expect(
      names(
        start + [(2, .engineEnded(first, .stopped)), (3, .replyEnded(first, .failed(Fault()), bytes: 0))])
        == ["interruption-taken-for-failure"])
    #expect(
      names(
        start + [
          (2, .engineEnded(first, .failed(Fault()))), (3, .replyEnded(first, .failed(Fault()), bytes: 0)),
        ]
      )
      .isEmpty)
    #expect(
      names(start + [(2, .engineEnded(first, .finished)), (3, .replyEnded(first, .complete, bytes: 0))])
        .isEmpty)
  }

  @Test("Text in another reply, text taken away, and text never shown are three faults")
  func replies() {
    #expect(names([(0, .read(first)), (1, .grew(reply: 1, update(0..<1), first))]) == ["stale-tokens"])
    #expect(
      names([
        (0, .read(first)), (1, .grew(reply: 0, update(0..<1), first)),
        (2, .replyEnded(first, .interrupted, bytes: 0)),
      ]) == ["partial-reply-lost"])
    #expect(
      names([(0, .read(first)), (2, .replyEnded(first, .interrupted, bytes: 0))]) == ["lost-last-flush"])
    // A reply that has not ended may still show it.
    #expect(names([(0, .read(first))]).isEmpty)
    let late: [(Int64, TokenStoryEvent)] = [
      (0, .read(first)), (1, .replyEnded(first, .interrupted, bytes: 0)), (2, .read(first)),
    ]
    #expect(names(late + [(3, .grew(reply: 0, update(1..<2), first))]) == ["lost-last-flush"])
    #expect(names(late + [(3, .grew(reply: 0, update(0..<2), first))]).isEmpty)
  }

  @Test("A half character shown is a fault, but for one that the end cut off")
  func characters() {
    func grew(_ text: String, _ cause: FlushCause) -> [(Int64, TokenStoryEvent)] {
      [(0, .grew(reply: 0, update(0..<1, cause, text: text), first))]
    }
    #expect(names(grew("a\u{FFFD}", .token)) == ["broken-characters"])
    #expect(names(grew("👩\u{200D}", .age)) == ["broken-characters"])
    #expect(names(grew("👩\u{200D}", .end)).isEmpty)
    #expect(names(grew("ﬁ 👩‍👩‍👧", .token)).isEmpty)
  }

  /// A token is made and read, then the script is silent for 600 ms, or as long as said, from the start; the next
  /// token is made at `next`, and read, and `update` shows text at a time.
  private func silence(
    until next: Int64, shown update: TextUpdate, at shownAt: Int64, began: Int64 = 0, scripted: Int64 = 600,
    whole: Int = 1
  ) -> [(Int64, TokenStoryEvent)] {
    let events: [(Int64, TokenStoryEvent)] = [
      (began, .engineStarted(first)), (began, .made(first)),
      (began, .silent(first, from: 0, to: scripted * 1_000_000, whole: whole)), (began, .read(first)),
      (next, .made(first)), (next, .read(first)), (shownAt, .grew(reply: 0, update, first)),
    ]
    return events.sorted { $0.0 < $1.0 }
  }

  @Test("Text is held in a silence of ten cadences if only the next token, or the end, shows it")
  func heldInSilence() {
    let every = Duration.milliseconds(50)
    let held = ["text-held-in-silence"]
    #expect(names(silence(until: 600, shown: update(0..<2), at: 650), cadence: every) == held)
    #expect(names(silence(until: 600, shown: update(0..<1, .end), at: 650), cadence: every) == held)
    #expect(names(silence(until: 600, shown: update(0..<1), at: 580), cadence: every).isEmpty)
    // It was taken out before the next token came, and has waited for the main actor.
    #expect(names(silence(until: 600, shown: update(0..<1), at: 650), cadence: every).isEmpty)
    // On the virtual clock nothing waits for it: the next token has shown it.
    #expect(
      names(silence(until: 600, shown: update(0..<1), at: 600), cadence: every, isVirtual: true) == held)
    #expect(names(silence(until: 600, shown: update(0..<1), at: 50), cadence: every, isVirtual: true).isEmpty)
    #expect(names(silence(until: 600, shown: update(0..<2), at: 650), cadence: .milliseconds(70)).isEmpty)
    #expect(names(silence(until: 600, shown: update(0..<2), at: 650)).isEmpty)
    // All had been shown before the silence ended: what comes next holds nothing back.
    let shown = silence(until: 600, shown: update(0..<1), at: 580)
    #expect(names(shown + [(650, .grew(reply: 0, update(1..<2), first))], cadence: every).isEmpty)
    // The engine ends where it would have spoken, and the end shows what was in hand.
    let ending: [(Int64, TokenStoryEvent)] = [
      (0, .engineStarted(first)), (0, .made(first)),
      (0, .silent(first, from: 0, to: 600_000_000, whole: 1)),
      (0, .read(first)), (600, .engineEnded(first, .finished)),
      (601, .grew(reply: 0, update(0..<1, .end), first)),
    ]
    #expect(names(ending, cadence: every) == held)
  }

  @Test("A silence is as long as the script and the machine both have it, and half a second at least")
  func silenceLength() {
    let every = Duration.milliseconds(50)
    // Cut short, and drawn out.
    #expect(names(silence(until: 490, shown: update(0..<2), at: 491), cadence: every).isEmpty)
    #expect(
      names(silence(until: 590, shown: update(0..<2), at: 591, scripted: 400), cadence: every).isEmpty)
    let brief = Duration.milliseconds(10)
    #expect(names(silence(until: 400, shown: update(0..<2), at: 401, scripted: 400), cadence: brief).isEmpty)
    #expect(
      names(silence(until: 500, shown: update(0..<2), at: 501, scripted: 500), cadence: brief)
        == ["text-held-in-silence"])
  }

  @Test("Text that ends within a character is not held: nobody can show it before the next token")
  func heldWithinCharacter() {
    for isVirtual in [true, false] {
      let events = silence(until: 600, shown: update(0..<2), at: 600, whole: 0)
      #expect(names(events, cadence: .milliseconds(50), isVirtual: isVirtual).isEmpty)
    }
    let bytes = TokenVocabulary(values: ["aé👩‍👩‍👧 日"], bytes: 3)
    // aé | 👩 in two tokens, then a joiner which asks for more, and so on; a space lets go of all.
    let whole = (0...9).map { bytes.whole(of: $0) }
    var joiner = GraphemeJoiner()
    var expected = [0]
    for index in 0..<9 {
      _ = joiner.append(bytes.token(index).utf8)
      expected.append(joiner.heldCount == 0 ? index + 1 : expected[index])
    }
    #expect(whole == expected)
    #expect(whole.contains { $0 > 0 } && whole != Array(0...9))
    #expect(TokenVocabulary(values: [], bytes: nil).whole(of: 7) == 7)
  }

  @Test("A machine that runs nothing is no silence, and nothing is said where the engine itself is late")
  func starved() {
    let every = Duration.milliseconds(50)
    #expect(names(silence(until: 950, shown: update(0..<2), at: 960), cadence: every).isEmpty)
    #expect(names(silence(until: 1_000, shown: update(0..<2), at: 1_000, began: 350), cadence: every).isEmpty)
    // Late at the beginning alone.
    #expect(names(silence(until: 900, shown: update(0..<2), at: 901, began: 350), cadence: every).isEmpty)
    let unscripted: [(Int64, TokenStoryEvent)] = [
      (0, .engineStarted(first)), (0, .made(first)), (0, .read(first)), (900, .made(first)),
      (900, .read(first)), (901, .grew(reply: 0, update(0..<2), first)),
    ]
    #expect(names(unscripted, cadence: every).isEmpty)
  }

  @Test("What was lost or held is told by the numbers of the last token made and the last delivered")
  func lastNumbers() {
    func made(_ count: Int, from time: Int64 = 0) -> [(Int64, TokenStoryEvent)] {
      (0..<count).flatMap { number in
        [(time + Int64(number), .made(first)), (time + Int64(number), .read(first))]
      }
    }
    let shown: [(Int64, TokenStoryEvent)] = [(100, .grew(reply: 0, update(0..<97), first))]
    // What is made when the reply is over is no part of what it lost.
    let ended: [(Int64, TokenStoryEvent)] = [
      (101, .replyEnded(first, .interrupted, bytes: 1)), (102, .made(first)),
    ]
    let lost = findings(made(100) + shown + ended + [(102, .stopCalled(first))])
    #expect(lost.map(\.name) == ["lost-last-flush"])
    #expect(lost.first?.figures == ["elements-lost": 3, "last-made": 100, "last-delivered": 97])
    let after: [(Int64, TokenStoryEvent)] = [
      (100, .silent(first, from: 99_000_000, to: 9_000_000_000, whole: 100)), (9_000, .made(first)),
      (9_000, .read(first)),
      (9_001, .grew(reply: 0, update(97..<101), first)),
    ]
    let held = findings(made(100) + shown + after, cadence: .milliseconds(50))
    #expect(held.map(\.name) == ["text-held-in-silence"])
    #expect(held.first?.firstSighting == ["last-made": 100, "last-delivered": 97])
  }

  @Test("More updates than the cadence allows are seen; a late update followed by one in time is not")
  func cadence() {
    func updates(_ times: [Int64]) -> [(Int64, TokenStoryEvent)] {
      times.map { ($0, .grew(reply: 0, update(0..<1), first)) }
    }
    let every = Duration.milliseconds(50)
    #expect(names(updates(Array(stride(from: 0, to: 300, by: 5))), cadence: every) == ["cadence-ignored"])
    #expect(names(updates([0, 50, 149, 150, 200]), cadence: every).isEmpty)
    #expect(names(updates(Array(stride(from: 0, to: 300, by: 5)))).isEmpty)
  }

  @Test("A burst is a first token read when the engine has made its last, unless it made all of them then")
  func burst() {
    func story(
      madeFrom: Int64, every: Int64 = 1, readAt: Int64, end: Int64 = 1000
    ) -> [(Int64, TokenStoryEvent)] {
      let made = (0..<10).map { (madeFrom + Int64($0) * every, TokenStoryEvent.made(first)) }
      let events =
        [(0, .engineStarted(first))] + made + [(readAt, .read(first)), (end, .engineEnded(first, .finished))]
      return events.sorted { $0.0 < $1.0 }
    }
    #expect(names(story(madeFrom: 10, readAt: 990)) == ["burst-at-end"])
    #expect(
      findings(story(madeFrom: 10, readAt: 990))[0].figures == [
        "first-output-ns": 990_000_000, "provider-ns": 1_000_000_000,
        "first-output-of-provider-percent": 99,
      ])
    #expect(names(story(madeFrom: 10, readAt: 11)).isEmpty)
    #expect(names(story(madeFrom: 900, readAt: 990)).isEmpty)
    // A reader that waited for its turn while others ran had some of the tokens before the last was made.
    #expect(names(story(madeFrom: 10, every: 109, readAt: 990)).isEmpty)
    #expect(names(story(madeFrom: 10, every: 108, readAt: 985)) == ["burst-at-end"])
    // A reader that did not run for a moment.
    #expect(names(story(madeFrom: 1, readAt: 100, end: 100)).isEmpty)
  }

  @Test("A conversation that grows on after its screen was left, or is still there, was kept")
  func retained() {
    let left: [(Int64, TokenStoryEvent)] = [(0, .leftScreen), (1, .grew(reply: 0, update(0..<1), first))]
    #expect(names(left).isEmpty)
    #expect(names(left + [(2, .grew(reply: 0, update(1..<2), first))]) == ["retained-view-model"])
    #expect(names(left, isConversationAlive: true) == ["retained-view-model"])
  }

  @Test(
    "Turns: overlap, overtaking and serving who has left are seen by order; a turn that came with the cancel is not"
  )
  func turns() {
    func names(_ run: (inout TurnOracles) -> Void) -> [String] {
      var oracles = TurnOracles()
      run(&oracles)
      return oracles.findings(conversation: 0).map(\.name)
    }
    let (one, two, three) = (Caller(first), Caller(second), Caller(Prompt(number: 2, text: "")))
    #expect(names { _ = ($0.started(one), $0.started(two)) } == ["generations-overlap"])
    #expect(
      names {
        _ = $0.started(one)
        $0.ended(one)
        _ = $0.started(two)
      }.isEmpty)
    func waiting(_ oracles: inout TurnOracles) {
      oracles.asked(one)
      _ = oracles.started(one)
      oracles.asked(two)
      oracles.queued(two)
      oracles.asked(three)
      oracles.queued(three)
    }
    #expect(
      names {
        waiting(&$0)
        $0.ended(one)
        _ = $0.started(three)
      } == ["caller-overtaken"])
    #expect(
      names {
        waiting(&$0)
        $0.interrupted(two)
        $0.ended(one)
        _ = $0.started(two)
      } == ["started-for-nobody"])
    // Its turn had come; it was interrupted before it could take it.
    #expect(
      names {
        waiting(&$0)
        $0.ended(one)
        $0.interrupted(two)
        _ = $0.started(two)
      }.isEmpty)
  }

  private struct Fault: Error {}
}
