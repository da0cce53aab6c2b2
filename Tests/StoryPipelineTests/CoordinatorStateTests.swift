import StoryPipeline
import Testing

@Suite("The coordinator's state")
struct CoordinatorStateTests {
  @Test("a whole story, boundary by boundary")
  func whole() throws {
    var state = CoordinatorState()
    #expect(try state.handle(.startNames) == [.cancelRegenerations, .startProducer(.names, generation: 1)])
    #expect(try state.handle(.stageEnded(generation: 1, complete: true)) == [.persist])
    #expect(try state.handle(.regenerateName) == [.runBeside(.names)])
    #expect(try state.handle(.selectNames) == [.stopProducer, .cancelRegenerations, .persist])
    _ = try state.handle(.startTitles)
    _ = try state.handle(.selectTitle)
    _ = try state.handle(.startOutline)
    _ = try state.handle(.stageEnded(generation: 3, complete: true))
    #expect(state.phase == .outlined)
    _ = try state.handle(.startProse)
    _ = try state.handle(.stageEnded(generation: 4, complete: true))
    #expect(state.phase == .written)
  }

  @Test(
    "what is not possible is refused and changes nothing",
    arguments: [
      (StageBoundary.brief, CoordinatorState.Event.startTitles), (.brief, .selectNames),
      (.brief, .startProse),
      (.namesOffered, .startTitles), (.namesSelected, .startNames), (.namesSelected, .startOutline),
      (.titlesOffered, .startOutline), (.titleSelected, .startProse), (.outlined, .startOutline),
      (.written, .startProse), (.brief, .regenerateName), (.namesOffered, .regenerateTitle),
    ])
  func refused(boundary: StageBoundary, event: CoordinatorState.Event) {
    var state = CoordinatorState(resuming: boundary)
    let before = state
    #expect(throws: IllegalTransition(event: event, phase: before.phase)) { _ = try state.handle(event) }
    #expect(state == before)
  }

  @Test("the end of a replaced, a chosen or a cancelled stage says nothing")
  func late() throws {
    var state = CoordinatorState()
    _ = try state.handle(.startNames)
    _ = try state.handle(.startNames)
    #expect(try state.handle(.stageEnded(generation: 1, complete: true)) == [])
    #expect(state.phase == .naming)
    #expect(try state.handle(.cancel) == [.stopProducer, .cancelRegenerations])
    #expect(try state.handle(.stageEnded(generation: 2, complete: true)) == [])
    #expect(state.phase == .namesOffered)
  }

  @Test("an incomplete outline can be started again")
  func incomplete() throws {
    var state = CoordinatorState(resuming: .titleSelected)
    _ = try state.handle(.startOutline)
    #expect(try state.handle(.stageEnded(generation: 1, complete: false)) == [])
    #expect(state.phase == .titleSelected)
  }
}
