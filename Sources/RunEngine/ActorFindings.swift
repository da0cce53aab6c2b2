internal import RunRecords
internal import RuntimeProbe
internal import WorkloadInterface

/// Judges actors by what the probe saw in a real cell. Thresholds stand in `FindingCatalogue`.
enum ActorFindings {
  /// What the judges go by.
  struct Evidence {
    var window: ActorWindow
    /// Share of all cores that the process left unused, from 0 to 1.
    var idleShare: Double
    var longHolds: [LongHold]
    /// Those whose stack was taken.
    var invertedHolds: [InvertedHold] = []
  }

  static func judge(_ evidence: Evidence) -> [ReportedFinding] {
    let actors = evidence.window.actors
    return actors.compactMap { saturated($0, evidence) } + pingPong(evidence.window)
      + actors.compactMap { inversion($0, evidence.invertedHolds) } + longHolds(evidence.longHolds)
  }

  // MARK: Saturation

  static let saturatedShare = 0.9
  static let idleShare = 0.25
  private static let shortestWindow: Int64 = 500_000_000

  private static func saturated(_ actor: ActorTimes, _ evidence: Evidence) -> ReportedFinding? {
    let window = evidence.window
    guard window.length >= shortestWindow, actor.holdAbsence == nil, actor.arrivals > 0,
      window.busiest(actor) >= saturatedShare, evidence.idleShare >= idleShare,
      let depth = actor.depth.mean, depth >= 2
    else { return nil }
    return ReportedFinding(
      "actor-saturated",
      evidence: [
        "busy-percent": percent(window.busiest(actor)), "idle-percent": percent(evidence.idleShare),
        "contended-percent": percent(Double(actor.contended) / Double(actor.arrivals)),
        "wait-mean-ns": Int64(actor.wait.mean ?? 0), "depth-max": Int64(clamping: actor.depth.maximum),
      ], place: actor.name)
  }

  private static func percent(_ share: Double) -> Int64 { Int64((share * 100).rounded()) }

  // MARK: Ping-pong

  static let pingPongHops: UInt64 = 1000

  private static func pingPong(_ window: ActorWindow) -> [ReportedFinding] {
    let routes = window.report.routes
    return routes.compactMap { route, there in
      guard let from = route.from, from < route.onto,
        let back = routes[ActorRoute(from: route.onto, onto: from)],
        min(there, back) >= pingPongHops, Double(min(there, back)) >= 0.8 * Double(max(there, back)),
        let first = window.report.actor(from), let second = window.report.actor(route.onto),
        first.holdAbsence == nil, second.holdAbsence == nil, first.waitAbsence == nil,
        second.waitAbsence == nil, first.arrivals > 0, second.arrivals > 0,
        // Else the waits are those of others.
        Double(there) >= 0.8 * Double(second.arrivals), Double(back) >= 0.8 * Double(first.arrivals)
      else { return nil }
      let holds = meanHold(first, window) + meanHold(second, window)
      let waits = [first, second].reduce(0) { $0 + Double($1.wait.sum) / Double($1.arrivals) }
      guard holds < waits else { return nil }
      return ReportedFinding(
        "hop-ping-pong",
        evidence: [
          "hops-there": Int64(clamping: there), "hops-back": Int64(clamping: back),
          "holds-mean-ns": Int64(holds), "waits-mean-ns": Int64(waits),
        ], place: "\(from) and \(route.onto)")
    }
  }

  private static func meanHold(_ actor: ActorTimes, _ window: ActorWindow) -> Double {
    window.held(actor) / Double(max(1, actor.hold.count &+ actor.fastHold.count &* window.report.holdStride))
  }

  // MARK: Priorities

  static let inversionTime: UInt64 = 10_000_000

  /// The place is where the holder was that was waited for longest, of those whose stack was taken.
  private static func inversion(_ actor: ActorTimes, _ holds: [InvertedHold]) -> ReportedFinding? {
    guard actor.inversions > 0, actor.inversionMaximum >= inversionTime else { return nil }
    var evidence = [
      "waited-ns": Int64(clamping: actor.inversionTime),
      "longest-wait-ns": Int64(clamping: actor.inversionMaximum),
    ]
    let longest = holds.filter { $0.qualifiedName == actor.qualifiedName }.max { $0.waited < $1.waited }
    guard let longest else {
      return ReportedFinding(
        "priority-inversion", count: Int(clamping: actor.inversions), evidence: evidence, place: actor.name)
    }
    evidence["holder-priority"] = Int64(longest.holderPriority)
    evidence["waiter-priority"] = Int64(longest.waiterPriority)
    return ReportedFinding(
      "priority-inversion", count: Int(clamping: actor.inversions), evidence: evidence,
      place: place(actor.name, longest.addresses), details: stack(longest.addresses))
  }

  // MARK: Stacks

  private static func place(_ actor: String, _ addresses: [UInt64]) -> String {
    var places = CreationPlaces()
    return actor + (places.place(of: addresses).map { ", \($0)" } ?? "")
  }

  /// The holder's stack in one sentence; none where no function in it has a name.
  private static func stack(_ addresses: [UInt64]) -> [String] {
    let functions = CreationPlaces().stack(of: addresses).map(\.description)
    return functions.isEmpty ? [] : ["the holder was in " + functions.joined(separator: ", called by ")]
  }

  // MARK: Long holds

  private static func longHolds(_ holds: [LongHold]) -> [ReportedFinding] {
    guard !holds.isEmpty else { return [] }
    var places = CreationPlaces()
    let byPlace = Dictionary(grouping: holds) { hold in
      let place = places.place(of: hold.addresses).map { ", \($0)" } ?? ""
      return "\(hold.qualifiedName.split(separator: ".").last ?? "?")\(place)"
    }
    return byPlace.map { place, holds in
      let longest = holds.max { $0.duration < $1.duration }
      return ReportedFinding(
        "long-hold", count: holds.count,
        evidence: [
          "longest-ns": Int64(clamping: holds.map(\.duration).max() ?? 0),
          "cpu-ns": Int64(clamping: holds.reduce(0) { $0 + $1.cpu }),
          "blocked-ns": Int64(clamping: holds.reduce(0) { $0 + $1.blocked }),
        ], place: place, details: longest.map { stack($0.addresses) } ?? [])
    }
  }
}
