import FlawedStories
import StoryPipeline
import Testing

@Suite("The table of tasks", .timeLimit(.minutes(1)))
struct TaskTableTests {
  @Test("tasks are cancelled one by one")
  func oneByOne() async {
    let table = TaskTable()
    let gate = Gate()
    let cancelled = Counter()
    let finished = Counter()
    let body: @Sendable () async -> Void = {
      do { try await gate.pass() } catch { return cancelled.increment() }
      finished.increment()
    }
    let first = table.run(body)
    table.run(body)
    await gate.arrived.wait(for: 2)
    #expect(table.count == 2)
    #expect(table.cancel(first))
    await cancelled.wait(for: 1)
    gate.step()
    await finished.wait(for: 1)
    #expect(cancelled.value == 1)
  }

  @Test("a task that ended before it was registered leaves no entry")
  func endedEarly() async {
    let table = TaskTable()
    let id = table.announce()
    let task = Task {}
    await task.value
    table.ended(id)
    table.register(task, for: id)
    #expect(table.count == 0)
    #expect(!table.cancel(id))
  }

  @Test("dropping the table cancels what runs")
  func dropped() async {
    let gate = Gate()
    let cancelled = Counter()
    var table: TaskTable? = TaskTable()
    table?.run { do { try await gate.pass() } catch { cancelled.increment() } }
    await gate.arrived.wait(for: 1)
    table = nil
    await cancelled.wait(for: 1)
  }
}
