import FlawedFeeds
import LiveFeeds
import Synchronization
import Testing

@Suite("Price feed")
struct PriceFeedTests {
  private func open(
    _ source: HandSource, _ form: FeedRequest.Form, _ notes: Notes, _ buffering: FeedBuffering = .unbounded
  ) -> Prices {
    FeedComponents().open(
      FeedRequest(source: source, symbol: "A", buffering: buffering, form: form, observer: notes))
  }

  private func numbers(_ prices: Prices) async -> [Int] {
    var numbers: [Int] = []
    for await price in prices { numbers.append(price.number) }
    return numbers
  }

  @Test(
    "Both forms hand on every price and unsubscribe when the source ends",
    arguments: FeedRequest.Form.allCases)
  func finished(_ form: FeedRequest.Form) async {
    let (source, notes) = (HandSource(), Notes())
    let prices = open(source, form, notes)
    source.tick(5)
    source.end()
    #expect(await numbers(prices) == [0, 1, 2, 3, 4])
    #expect(notes.seen.endings == [.finished])
    #expect(source.openCount == 0)
  }

  @Test(
    "A cancelled consumer unsubscribes; a tick after that reaches nobody",
    arguments: FeedRequest.Form.allCases)
  func cancelled(_ form: FeedRequest.Form) async {
    let (source, notes) = (HandSource(), Notes())
    let prices = open(source, form, notes)
    let consumer = Task { await numbers(prices) }
    source.tick(2)
    while notes.seen.accepted.count < 2 { await Task.yield() }
    consumer.cancel()
    _ = await consumer.value
    #expect(source.openCount == 0)
    #expect(notes.seen.endings == [.cancelled])
    source.tick(3, late: true)
    #expect(notes.seen.refused == [2, 3, 4])
    #expect(await numbers(prices).isEmpty)
  }

  @Test("A stream that nobody holds any more unsubscribes", arguments: FeedRequest.Form.allCases)
  func letGo(_ form: FeedRequest.Form) {
    let (source, notes) = (HandSource(), Notes())
    var prices: Prices? = open(source, form, notes)
    #expect(source.openCount == 1 && prices != nil)
    prices = nil
    #expect(source.openCount == 0)
    #expect(notes.seen.endings == [.cancelled])
  }

  @Test("A source that ends while it subscribes leaves no subscription")
  func endsAtOnce() async {
    let (source, notes) = (HandSource(endsAtOnce: true), Notes())
    #expect(await numbers(open(source, .closure, notes)).isEmpty)
    #expect(source.openCount == 0)
  }

  @Test("The newest are kept by dropping the oldest, the oldest by dropping what comes")
  func dropped() async {
    for (buffering, kept, dropped) in [
      (FeedBuffering.newest(2), [3, 4], [0, 1, 2]), (.oldest(2), [0, 1], [2, 3, 4]),
      (.newest(1), [4], [0, 1, 2, 3]), (.unbounded, [0, 1, 2, 3, 4], []),
    ] {
      let (source, notes) = (HandSource(), Notes())
      let prices = open(source, .makeStream, notes, buffering)
      source.tick(5)
      source.end()
      #expect(await numbers(prices) == kept)
      #expect(notes.seen.dropped == dropped)
    }
  }

  @Test("The flawed report names the prices that were kept")
  func misreported() async {
    let (source, notes) = (HandSource(), Notes())
    let prices = FeedFlaw.dropMisreported.components.open(
      FeedRequest(source: source, symbol: "A", buffering: .newest(2), observer: notes))
    source.tick(5)
    source.end()
    #expect(await numbers(prices) == [3, 4])
    #expect(notes.seen.dropped == [2, 3, 4])
  }

  @Test("Ten consumers of one stream all end with it, a hundred times")
  func manyReaders() async {
    for _ in 0..<100 {
      let (source, notes) = (HandSource(), Notes())
      let prices = open(source, .closure, notes)
      let ended = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<10 { group.addTask { await numbers(prices).count } }
        group.addTask {
          source.tick(20)
          source.end()
          return 0
        }
        return await group.reduce(into: (ends: 0, prices: 0)) { $0 = ($0.ends + 1, $0.prices + $1) }
      }
      #expect(ended == (11, 20))
    }
  }

  @Test("A merge of nothing ends at once, of two when both have ended")
  func merge() async {
    let (source, notes) = (HandSource(), Notes())
    let request = FeedRequest(source: source, symbol: "", buffering: .unbounded, observer: notes)
    #expect(await numbers(FeedComponents().merge(request, [])).isEmpty)
    let prices = FeedComponents().merge(request, ["A", "B"])
    source.tick(1)
    source.end()
    #expect(await numbers(prices) == [0, 0])
    #expect(source.openCount == 0)
  }

  @Test("A hub closes its streams outside its lock, and its members leave by themselves")
  func hub() async {
    let source = HandSource()
    let hub = PriceHub(source: source, symbol: "A")
    let streams = (0..<4).map { _ in hub.join(buffering: .unbounded, observer: UnobservedFeed()) }
    source.tick(3)
    #expect(hub.count == 4)
    hub.closeAll()
    #expect(hub.count == 0)
    #expect(source.openCount == 0)
    for stream in streams { #expect(await numbers(stream) == [0, 1, 2]) }
    #expect(await numbers(hub.join(buffering: .unbounded, observer: UnobservedFeed())).isEmpty)
  }
}

@Suite("View model")
@MainActor
struct PriceViewModelTests {
  private func model(_ source: HandSource, _ follower: any PriceFollower = WeakFollower()) -> PriceViewModel {
    PriceViewModel(follower: follower) { symbol in
      PriceFeed(source: source, buffering: .unbounded).prices(for: symbol)
    }
  }

  /// Waits for something to be so, five seconds at most; then leaves time for what should not follow.
  private func settle(until condition: () -> Bool = { true }) async {
    let end = ContinuousClock.now + .seconds(5)
    while !condition() && ContinuousClock.now < end { await Task.yield() }
    for _ in 0..<50 { await Task.yield() }
  }

  @Test("A second start takes the place of the first: each price is shown once")
  func restart() async {
    let source = HandSource()
    let model = model(source)
    var shown: [Int] = []
    model.onChange = { shown.append($0.number) }
    model.start(symbol: "A")
    await settle { source.openCount == 1 }
    source.tick(2)
    await settle { shown.count == 2 }
    model.start(symbol: "A")
    #expect(source.openCount == 1)
    await settle()
    source.tick(2)
    await settle { shown.count == 4 }
    #expect(shown == [0, 1, 2, 3])
    #expect(model.latestPrice?.number == 3)
    model.stop()
    #expect(source.openCount == 0)
  }

  @Test("Nothing is shown after a stop, though prices wait; the flawed loop shows them")
  func stop() async {
    for (follower, expected) in [
      (WeakFollower() as any PriceFollower, 1), (BufferShowingFollower(), 5),
    ] {
      let source = HandSource()
      let model = model(source, follower)
      var shown = 0
      model.onChange = { [weak model] _ in
        shown += 1
        model?.stop()
      }
      model.start(symbol: "A")
      source.tick(5)
      await settle { shown == expected }
      #expect(shown == expected)
      #expect(source.openCount == 0)
    }
  }

  @Test("A model that is let go of ends its feed; the flawed loop keeps both")
  func letGo() async {
    for (follower, open) in [(WeakFollower() as any PriceFollower, 0), (StrongFollower(), 1)] {
      let source = HandSource()
      var model: PriceViewModel? = model(source, follower)
      model?.start(symbol: "A")
      await settle { source.openCount == 1 }
      model = nil
      await settle { source.openCount == open }
      #expect(source.openCount == open)
    }
  }

  @Test("The flawed second start leaves two feeds")
  func doubled() async {
    let source = HandSource()
    let model = model(source, DoublingFollower())
    model.start(symbol: "A")
    model.start(symbol: "A")
    #expect(source.openCount == 2)
    model.stop()
    source.end()
  }
}
