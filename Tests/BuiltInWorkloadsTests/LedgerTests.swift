import SeededDraws
import Testing
import WorkloadInterface

@testable import BuiltInWorkloads

@Suite("Books and users as values")
struct LedgerTests {
  @Test("Each element has one fate; what has none is left over")
  func fates() {
    var ledger = ElementLedger()
    let made = (UInt64(0)..<4).map { ledger.make($0, at: 10) } + [ledger.make(0, at: 11)]
    #expect(made == [true, true, true, true, false])
    let stored = [ledger.store(0, at: 15), ledger.store(0, at: 16), ledger.store(9, at: 20)]
    #expect(stored == [5, nil, nil])
    let delivered = ledger.deliver(0, at: 20)
    #expect(delivered == 10)
    let isDropped = ledger.drop(1)
    #expect(isDropped)
    #expect(ledger.undetermined == 2)
    let left = ledger.close()
    #expect(left == 2)
    let late = (ledger.deliver(2, at: 30), ledger.make(7, at: 30))
    #expect(late.0 == nil)
    #expect(!late.1)
  }

  @Test("Paragraphs are timed from the start, then from one another")
  func paragraphs() {
    var ledger = ParagraphLedger()
    ledger.start(at: 100)
    let made = (0..<3).map { _ in ledger.make() }
    #expect(made == [true, true, true])
    guard case .first(50)? = ledger.deliver(at: 150), case .between(20)? = ledger.deliver(at: 170) else {
      Issue.record("wrong gaps")
      return
    }
    let isDropped = ledger.drop(1)
    #expect(isDropped)
    #expect(ledger.undetermined == 0)
  }

  @Test("The same seed makes the same user; shares decide who does what")
  func users() throws {
    let behaviour = StoryBehaviour(
      ParameterValues([
        "regenerate": .record(ParameterValues(["share": .share(0.25)])),
        "cancel": .record(ParameterValues(["share": .share(0.5)])), "retry-limit": .integer(2),
      ]))
    func user(_ index: Int, seed: UInt64 = 3) -> ScriptedUser {
      ScriptedUser(
        behaviour, draws: IterationDraws(seed: seed, iteration: index), streams: UserStreams(seed: seed))
    }
    let users = (0..<2_000).map { user($0) }
    #expect(users == (0..<2_000).map { user($0) })
    #expect(users != (0..<2_000).map { user($0, seed: 4) })
    #expect((430...570).contains(users.count { $0.regeneratedSlot != nil }))
    #expect((900...1_100).contains(users.count { $0.cancelAfter != nil }))
    #expect(users.allSatisfy { $0.restartAfter == nil })
    #expect(users[0].reaction(to: 2, retryable: true) == .askAgain)
    #expect(users[0].reaction(to: 3, retryable: true) == .accept)
    #expect(users[0].reaction(to: 1, retryable: false) == .accept)
  }
}
