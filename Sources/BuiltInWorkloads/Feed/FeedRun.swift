internal import LiveFeeds
internal import Measurement
internal import ProviderScripts
internal import SeededDraws
internal import Synchronization
internal import WorkloadInterface

/// One iteration of `feed`: a market that ticks, and consumers who come, read and leave.
final class FeedRun: Sendable {
  private let iteration: Iteration
  private let session: FeedSession
  private let books: FeedIteration
  private let caller: ScriptedCaller
  private let failure = Mutex<String?>(nil)
  /// Prices that consumers take their time over.
  private let inHand = Atomic(0)
  private let hub = Mutex<(any PriceDistribution)?>(nil)
  private let marketEnded = Signal()
  private let viewOpened = Signal()
  private let viewStirred = Signal()

  private var behaviour: FeedBehaviour { session.behaviour }
  private var clock: CellClock { session.recorder.clock }

  init(_ iteration: Iteration, session: FeedSession, books: FeedIteration) {
    self.iteration = iteration
    self.session = session
    self.books = books
    caller = session.prices.caller(for: iteration)
  }

  private enum Part {
    case consumer, market, watch
  }

  /// Runs until the market has closed and every consumer has left.
  func outcome() async -> IterationOutcome {
    await withTaskGroup(of: Part.self) { group in
      var consumers = behaviour.hasView ? 1 : behaviour.consumers
      if behaviour.hasView {
        group.addTask {
          await self.view()
          return .consumer
        }
        // The model has opened its feed when the market opens.
        await viewOpened.wait()
      } else {
        addConsumers(to: &group)
      }
      group.addTask {
        await self.market()
        return .market
      }
      var isOpen = true
      while consumers > 0 || isOpen {
        switch await group.next() {
        case .consumer?: consumers -= 1
        case .market?:
          isOpen = false
          // What is pulled has no market that could have closed.
          if consumers > 0, session.strategy != .pulled {
            group.addTask {
              await self.waitForPatience()
              return .watch
            }
          }
        case .watch?:
          if !Task.isCancelled { books.sentHome(consumers) }
          group.cancelAll()
        case nil: return
        }
      }
      group.cancelAll()
    }
    if Task.isCancelled { return .cancelled }
    if let reason = failure.withLock({ $0 }) { return .failed(reason: reason) }
    return behaviour.leaving == .cancel && !behaviour.hasView ? .cancelled : .completed
  }

  // MARK: The market

  private func market() async {
    defer {
      books.market.end()
      marketEnded.fire()
      viewStirred.fire()
    }
    guard session.strategy != .pulled, behaviour.sources > 0, behaviour.ticks > 0 else { return }
    let market = books.market
    let threads =
      behaviour.threads > 0 && session.isReal
      ? TickThreads(count: behaviour.threads, tick: { market.tick() }) : nil
    let (ticks, burst) = (behaviour.ticks, behaviour.burst)
    do {
      _ = try await caller.stream(slot: 0, count: (ticks + burst - 1) / burst) { element in
        let size = min(burst, ticks - element.index * burst)
        if let threads {
          threads.fire(size)
        } else {
          for _ in 0..<size { market.tick() }
        }
      }
    } catch {
      failed(error)
    }
    await threads?.finish()
  }

  private func failed(_ error: any Error) {
    guard let error = error as? ProviderFailure else { return }
    failure.withLock { $0 = error.kind.rawValue }
  }

  /// Returns when the market has closed, nothing waits for a consumer, and that was so for a while.
  private func waitForPatience() async {
    repeat {
      guard (try? await clock.sleep(until: clock.now() + behaviour.patience)) != nil else { return }
    } while books.awaited > 0 || inHand.load(ordering: .relaxed) > 0
  }

  // MARK: Consumers

  private func addConsumers(to group: inout TaskGroup<Part>) {
    let hub = behaviour.hasHub ? session.components.distribute(books.market, "S0") : nil
    // The streams hang on it, and do not hold it.
    self.hub.withLock { $0 = hub }
    if behaviour.isShared {
      let observation = books.open()
      let shared = open(observation, hub: hub)
      for consumer in 0..<behaviour.consumers {
        group.addTask { await self.read(shared, observation, consumer: consumer) }
      }
      return
    }
    for consumer in 0..<behaviour.consumers {
      let observation = books.open()
      // Held by the consumer's task alone, so that who leaves lets go of it.
      group.addTask { [stream = open(observation, hub: hub)] in
        await self.read(stream, observation, consumer: consumer)
      }
    }
  }

  private func open(_ observation: FeedObservation, hub: (any PriceDistribution)?) -> Prices {
    let components = session.components
    guard case .pushed(let buffering) = session.strategy else {
      return components.pull(
        ScriptedPull(caller: caller, market: books.market, ticks: behaviour.ticks, observation: observation) {
          self.failed($0)
        }, observation)
    }
    if let hub { return hub.join(buffering: buffering, observer: observation) }
    let request = FeedRequest(
      source: books.market, symbol: "S0", buffering: buffering, form: behaviour.form, observer: observation)
    return behaviour.sources == 1 ? components.open(request) : components.merge(request, behaviour.symbols)
  }

  private func read(_ prices: Prices, _ observation: FeedObservation, consumer: Int) async -> Part {
    if behaviour.leaving == .drop, !behaviour.isShared {
      await readSome(prices, observation, consumer: consumer)
    } else {
      await readAll(prices, observation, consumer: consumer)
    }
    return .consumer
  }

  /// Reads until the feed ends or the script has the consumer leave.
  private func readAll<Feed: AsyncSequence<Price, Never>>(
    _ prices: Feed, _ observation: FeedObservation, consumer: Int
  ) async {
    var count = 0
    for await price in prices {
      await take(price, observation, number: count, consumer: consumer)
      count += 1
      if Task.isCancelled {
        observation.consumerLeft()
        return
      }
      guard count == behaviour.leavesAfter, behaviour.leaving != .stay else { continue }
      observation.consumerLeft()
      if behaviour.leaving == .break { return }
      session.figures.cancels.add()
      withUnsafeCurrentTask { $0?.cancel() }
    }
  }

  /// Reads some prices with an iterator of its own, and lets go of it.
  private func readSome<Feed: AsyncSequence<Price, Never>>(
    _ prices: Feed, _ observation: FeedObservation, consumer: Int
  ) async {
    var iterator = prices.makeAsyncIterator()
    for number in 0..<behaviour.leavesAfter {
      guard let price = await iterator.next(isolation: nil) else { return }
      await take(price, observation, number: number, consumer: consumer)
    }
    observation.consumerLeft()
  }

  private func take(
    _ price: Price, _ observation: FeedObservation, number: Int, consumer: Int
  ) async {
    observation.delivered(price)
    session.sink.update(shown: number + 1)
    guard let reading = behaviour.reading else { return }
    inHand.wrappingAdd(1, ordering: .relaxed)
    defer { inHand.wrappingSubtract(1, ordering: .relaxed) }
    let pause = iteration.draws.nanoseconds(reading, session.reading, slot: consumer, attempt: number)
    if pause > 0 { try? await clock.sleep(until: clock.now() + pause) }
  }

  // MARK: The view

  @MainActor
  private func view() async {
    let screen = PriceScreen(stirred: viewStirred)
    open(screen)
    viewOpened.fire()
    // Until the user lets go of the model, or the market has closed.
    await viewStirred.wait()
    letGoIfLeft(screen)
    await marketEnded.wait()
    while books.awaited > 0 {
      guard (try? await clock.sleep(until: clock.now() + 1_000_000)) != nil else { break }
      letGoIfLeft(screen)
    }
    letGoIfLeft(screen)
    // Who has stopped the model still looks at it: what waited may yet be shown.
    if behaviour.leaving == .cancel { books.keep(screen) } else { screen.model = nil }
  }

  @MainActor
  private func letGoIfLeft(_ screen: PriceScreen) {
    guard screen.isLeft, screen.model != nil else { return }
    screen.model = nil
    books.watch.letGo()
  }

  /// Nothing but the screen holds the model when this has returned.
  @MainActor
  private func open(_ screen: PriceScreen) {
    let model = PriceViewModel(follower: session.components.follower) { [self] _ in
      let observation = books.open()
      return Self.recording(open(observation, hub: nil), observation)
    }
    model.onChange = { [self, weak model, weak screen] price in
      if let model { showed(price, in: model, on: screen) }
    }
    screen.model = model
    model.start(symbol: "S0")
  }

  @MainActor
  private func showed(_ price: Price, in model: PriceViewModel, on screen: PriceScreen?) {
    let count = books.watch.showed(price)
    session.sink.update(shown: count)
    if count == behaviour.restartAfter {
      books.consumersLeft()
      model.start(symbol: "S0")
    }
    guard count == behaviour.leavesAfter else { return }
    switch behaviour.leaving {
    case .cancel:
      session.figures.cancels.add()
      books.consumersLeft()
      model.stop()
      books.watch.stopped()
    case .drop:
      books.consumersLeft()
      screen?.leave()
    case .stay, .break: break
    }
  }

  private static func recording<Feed: AsyncSequence<Price, Never> & Sendable>(
    _ prices: Feed, _ observation: FeedObservation
  ) -> Prices {
    prices.map { price in
      observation.delivered(price)
      return price
    }
  }
}

/// What holds the view model: the one owner that can let go of it.
@MainActor
private final class PriceScreen {
  var model: PriceViewModel?
  private(set) var isLeft = false
  private let stirred: Signal

  init(stirred: Signal) { self.stirred = stirred }

  /// The user turns to something else.
  func leave() {
    isLeft = true
    stirred.fire()
  }
}
