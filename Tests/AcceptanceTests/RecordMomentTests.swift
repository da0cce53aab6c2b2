import RunRecords
import Testing

/// Figures of a recording that ends, or whose window closes, while something goes on.
extension RecordTests {
  @Test("All figures of a stopped recording are of one moment")
  func stoppedWhileHeld() throws {
    // Held for 1.5 s, five behind it; stopped in the middle of it.
    let recorded = try record([Self.program, "blocked", "1500"], ["--quiet", "--for", "700ms"])
    let cell = try #require(recorded.cell)
    #expect(recorded.code == 0)
    // Those that are alive, the main task, and the detached one that has ended.
    #expect(cell.findings.reduce(0) { $0 + $1.count } == 6)
    #expect(cell.integer("tasks.created") == 8)
    #expect(cell.integer("tasks.ended") == 1)
    #expect(
      cell.findings.allSatisfy { $0.message.contains("The main task, which `tasks.created` counts too") })
    // Nobody who waits has come to an end of it.
    #expect(cell.metrics["actor.wait{actor=Slow}.max"].map { $0.double < 1e6 } ?? true)
    let longest = try #require(cell.integer("actor.hold{actor=Slow}.max"))
    #expect(longest > 300_000_000 && longest <= 700_000_000)
    let busy = try #require(cell.metrics["actor.busy{actor=Slow}"]).double
    #expect(busy > 0.5 && busy <= 1.01)
    #expect(recorded.reasons.contains("one hold had not ended when the recording was stopped"))
    #expect((cell.integer("wall") ?? 0) > 1_500_000_000)
  }

  @Test("A hold that goes on when a window closes counts with the part in it")
  func windowWhileHeld() throws {
    let recorded = try record([Self.program, "held-window", "10"], ["--quiet"])
    let cell = try #require(recorded.cell)
    #expect(recorded.reasons.contains("one window of"), "\(recorded.reasons)")
    #expect(recorded.reasons.contains("one hold had not ended when a window ended"), "\(recorded.reasons)")
    let busy = try #require(cell.metrics["actor.busy{actor=Slow}"]).double
    #expect(busy > 0.9 && busy <= 1.01)
    let longest = try #require(cell.integer("actor.hold{actor=Slow}.max"))
    #expect(longest > 300_000_000 && longest < 1_000_000_000)
  }

  @Test("A long hold is timed, although it came first and nobody drew it for timing")
  func longFirstHold() throws {
    let recorded = try record([Self.program, "blocked", "600"], ["--quiet"])
    let longest = try #require(recorded.cell?.integer("actor.hold{actor=Slow}.max"))
    #expect(longest > 500_000_000 && longest < 800_000_000)
    let busy = try #require(recorded.cell?.metrics["actor.busy{actor=Slow}"]).double
    #expect(busy > 0.5 && busy <= 1.01)
  }
}
