import SeededDraws
import Testing
import WorkloadInterface

@testable import ProviderScripts

private func distribution(_ shape: Distribution.Shape) -> Distribution {
  do { return try Distribution(shape) } catch { fatalError("\(error)") }
}

@Suite("What a script says")
struct CallScriptTests {
  private func schedule(_ selector: FailureScript.Selector) -> FailureSchedule {
    FailureSchedule(
      [FailureScript(kind: .reset, selector: selector)], stream: DrawStream(seed: 7, name: "names"))
  }

  private func failing(_ selector: FailureScript.Selector, attempt: Int = 0) -> [Int] {
    (0..<10).filter { schedule(selector).failure(iteration: 0, slot: $0, attempt: attempt, at: 50) != nil }
  }

  @Test("Calls 3 and 5 fail slots 2 and 4, and a retry of one alone succeeds")
  func calls() {
    #expect(failing(.calls([3, 5])) == [2, 4])
    #expect(failing(.calls([3, 5]), attempt: 1) == [])
  }

  @Test("Every third call fails; every call fails however often it is tried")
  func every() {
    #expect(failing(.every(3)) == [2, 5, 8])
    #expect(failing(.every(1), attempt: 4) == Array(0..<10))
  }

  @Test("A window fails what is asked within it")
  func window() {
    #expect(failing(.window(from: 50, to: 51)).count == 10)
    #expect(failing(.window(from: 51, to: 60)) == [])
    #expect(failing(.window(from: 0, to: 50)) == [])
  }

  @Test("A share of 0 never fails, 1 always, 5 % in its measure")
  func share() {
    func failures(_ share: Double) -> Int {
      (0..<10_000).filter {
        schedule(.share(share)).failure(iteration: $0, slot: 0, attempt: 0, at: 0) != nil
      }.count
    }
    #expect(failures(0) == 0)
    #expect(failures(1) == 10_000)
    // Deviation 22: four deviations.
    #expect(abs(failures(0.05) - 500) < 88)
  }

  @Test("The first script that applies wins, and two shares are drawn apart")
  func precedence() {
    let scripts = [
      FailureScript(kind: .timeout, selector: .share(0.5)),
      FailureScript(kind: .malformed, selector: .share(0.5)),
    ]
    let schedule = FailureSchedule(scripts, stream: DrawStream(seed: 7, name: "names"))
    let kinds = (0..<4_000).map { schedule.failure(iteration: $0, slot: 0, attempt: 0, at: 0)?.kind }
    #expect(abs(kinds.filter { $0 == .timeout }.count - 2_000) < 127)
    #expect(abs(kinds.filter { $0 == .malformed }.count - 1_000) < 110)
  }

  @Test("What begins in a stall begins at its end; what is due in one comes at its end")
  func stalls() {
    let script = ProviderScript(
      latency: distribution(.constant(10)),
      stalls: [StallWindow(at: 100, duration: 50), StallWindow(at: 150, duration: 20)])
    let call = CallScript(script, seed: 1, provider: "names")
    #expect(call.begin(99) == 99)
    #expect(call.begin(100) == 170)
    #expect(call.begin(170) == 170)
    #expect(call.answer(from: 85, 0, 0, 0) == 95)
    #expect(call.answer(from: 95, 0, 0, 0) == 170)
    #expect(call.answer(from: 170, 0, 0, 0) == 180)
  }

  @Test("Values come in order, cycling; none are left to the workload")
  func values() {
    let script = ProviderScript(latency: distribution(.constant(0)), values: ["a", "b"])
    #expect((0..<3).map { CallScript(script, seed: 1, provider: "p").value($0) } == ["a", "b", "a"])
    let none = CallScript(ProviderScript(latency: distribution(.constant(0))), seed: 1, provider: "p")
    #expect(none.value(0) == nil)
  }
}
