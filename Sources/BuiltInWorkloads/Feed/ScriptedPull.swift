internal import LiveFeeds
internal import ProviderScripts

/// A market that is asked for each price, and takes its time over it.
struct ScriptedPull: PulledPriceSource {
  let caller: ScriptedCaller
  let market: ScriptedMarket
  let ticks: Int
  let observation: FeedObservation
  let failed: @Sendable (any Error) -> Void

  func price(_ number: Int) async -> Price? {
    guard number < ticks else { return nil }
    do {
      _ = try await caller.call(slot: number)
    } catch {
      failed(error)
      return nil
    }
    let price = market.makePrice()
    observation.offered(price)
    observation.accepted(price)
    return price
  }
}
