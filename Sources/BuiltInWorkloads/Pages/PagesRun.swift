internal import LiveFeeds
internal import Measurement
internal import ProviderScripts
internal import WorkloadInterface

/// One iteration of `pages`: a consumer who walks through a result, or reads a text, and leaves.
struct PagesRun: Sendable {
  let iteration: Iteration
  let session: PagesSession
  let observation: PageObservation
  let caller: ScriptedCaller

  private var behaviour: PagesBehaviour { session.behaviour }

  /// In a task of its own, which may be cancelled.
  func outcome() async -> IterationOutcome {
    await withTaskGroup(of: IterationOutcome.self) { group in
      group.addTask { behaviour.readsText ? await readText() : await walk() }
      return await group.next() ?? .completed
    }
  }

  // MARK: Walks

  private func walk() async -> IterationOutcome {
    let source = ScriptedPages(caller: caller, behaviour: behaviour, observation: observation)
    var position = PagePosition()
    while true {
      do {
        if try await read(from: position, source) {
          return session.strategy.isCancel ? .cancelled : .completed
        }
        observation.ended(.finished)
        return .completed
      } catch PageError.failed(_, let failed, let cause) where mayResume(cause) {
        position = session.pages.resumption(failed)
        observation.resumed()
      } catch is CancellationError {
        observation.left()
        return .cancelled
      } catch {
        observation.ended(.failed)
        return .failed(reason: Self.reason(error))
      }
    }
  }

  private func mayResume(_ cause: any Error) -> Bool {
    guard behaviour.onFailure == .resume, let failure = cause as? ProviderFailure else { return false }
    return failure.isRetryable
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case PageError.tokenRepeated: "token-repeated"
    case PageError.failed(_, _, let cause): (cause as? ProviderFailure)?.kind.rawValue ?? "asked-too-often"
    default: "unexpected-error"
    }
  }

  /// True if the consumer left before the end.
  private func read(from position: PagePosition, _ source: ScriptedPages) async throws -> Bool {
    let walk = session.pages.walk(PageRequest(source: source, start: position, decode: ScriptedPages.decode))
    guard behaviour.reads == .rows else {
      return try await take(walk) { page in
        session.figures.pagesRead.add()
        observation.delivered(page.rows.count)
      }
    }
    return try await readRows(of: walk)
  }

  private func readRows<Walk: AsyncSequence<Page<Int>, any Error> & Sendable>(
    of walk: Walk
  ) async throws -> Bool {
    let observation = observation
    let rows = PagedRows(walk).map { row in
      observation.delivered(1)
      return row
    }
    switch behaviour.transform {
    case .none: return try await readBatches(of: rows)
    case .filter: return try await readBatches(of: rows.filter { $0 % 2 == 0 })
    case .map: return try await readBatches(of: rows.map { $0 * 2 })
    case .prefix: return try await readBatches(of: session.pages.prefix(rows, behaviour.prefix))
    }
  }

  private func readBatches<Base: AsyncSequence<Int, any Error> & Sendable>(of rows: Base) async throws -> Bool
  {
    guard behaviour.batch > 0, let batches = session.pages.batches(rows, behaviour.batch) else {
      return try await take(rows) { _ in }
    }
    return try await take(batches) { observation.batch($0.count) }
  }

  /// Takes elements until they end, or the strategy has the consumer leave: then true.
  private func take<Elements: AsyncSequence>(
    _ elements: Elements, _ see: (Elements.Element) -> Void
  ) async throws -> Bool where Elements.Element: Sendable {
    guard let leaving = session.strategy.leaving else {
      var count = 0
      for try await element in elements {
        see(element)
        try await pause(after: count)
        count += 1
      }
      return false
    }
    if leaving.by == .drop { return try await takeSome(leaving.after, of: elements, see) }
    var count = 0
    for try await element in elements {
      see(element)
      try await pause(after: count)
      count += 1
      guard count == leaving.after else { continue }
      observation.left()
      if leaving.by == .break { return true }
      session.figures.cancels.add()
      withUnsafeCurrentTask { $0?.cancel() }
    }
    return count >= leaving.after
  }

  private func takeSome<Elements: AsyncSequence>(
    _ count: Int, of elements: Elements, _ see: (Elements.Element) -> Void
  ) async throws -> Bool where Elements.Element: Sendable {
    var iterator = elements.makeAsyncIterator()
    for number in 0..<count {
      guard let element = try await iterator.next() else { return false }
      see(element)
      try await pause(after: number)
    }
    observation.left()
    return true
  }

  private func pause(after number: Int) async throws {
    session.sink.update(shown: number + 1)
    guard let reading = behaviour.reading else { return }
    let pause = iteration.draws.nanoseconds(reading, session.draws, slot: number)
    let clock = session.recorder.clock
    if pause > 0 { try await clock.sleep(until: clock.now() + pause) }
  }

  // MARK: Text

  private func readText() async -> IterationOutcome {
    let text = ScriptedText(behaviour)
    let chunks = ScriptedChunks(caller: caller, bytes: text.bytes, size: behaviour.chunk)
    do {
      let reader =
        behaviour.reads == .events
        ? try await read(session.lines.events(chunks), text) { $0.data }
        : try await read(session.lines.lines(chunks), text) { $0 }
      observation.read(reader.seen, made: text.expected.count, delivered: reader.whole)
      return .completed
    } catch is CancellationError {
      return .cancelled
    } catch {
      return .failed(reason: (error as? ProviderFailure)?.kind.rawValue ?? "unexpected-error")
    }
  }

  private func read<Elements: AsyncSequence>(
    _ elements: Elements, _ text: ScriptedText, _ content: (Elements.Element) -> String
  ) async throws -> TextReader {
    var reader = TextReader(text.expected)
    var count = 0
    for try await element in elements {
      reader.read(content(element))
      try await pause(after: count)
      count += 1
    }
    reader.finish()
    return reader
  }
}
