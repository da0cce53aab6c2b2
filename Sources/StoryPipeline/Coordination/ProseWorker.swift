import Synchronization

/// What a stage leaves behind for the coordinator.
enum StageResults: Sendable {
  case names([CharacterNameCandidate])
  case titles([TitleCandidate])
  case plot([PlotPoint])
  case prose([String], complete: Bool)
}

/// Drives the prose stage: takes each event out of its sequence when the consumer is ready for it.
struct ProseWorker: Sendable {
  let source: ProseSource
  let sequence: StoryComponents.ProseSequence
  let channel: any PublicationChannel<ProseEvent>

  func run() async -> (StageResults, StageEnding) {
    var paragraphs: [String] = []
    var isComplete = false
    do {
      for try await event in sequence {
        switch event {
        case .paragraph(let text): paragraphs.append(text)
        case .complete: isComplete = true
        case .failure(let failure):
          source.observer.slotFailed(
            .prose, slot: 0, isCancellation: failure.error is CancellationError)
        case .progress: break
        }
        do {
          try await channel.send(event)
        } catch {
          if case .paragraph = event { source.observer.paragraphsDropped(count: 1) }
          throw error
        }
      }
    } catch {
      let isCancelled = error is CancellationError || Task.isCancelled
      return (.prose(paragraphs, complete: false), isCancelled ? .cancelled : .failed)
    }
    return (.prose(paragraphs, complete: isComplete), .finished)
  }
}

/// Numbers the paragraphs that a consumer takes.
final class ParagraphCounter: Sendable {
  private let taken = Atomic<Int>(0)
  private let observer: any StoryObserver

  init(observer: any StoryObserver) { self.observer = observer }

  @Sendable func count(_ event: ProseEvent) {
    guard case .paragraph = event else { return }
    observer.paragraphDelivered(index: taken.wrappingAdd(1, ordering: .relaxed).oldValue)
  }
}
