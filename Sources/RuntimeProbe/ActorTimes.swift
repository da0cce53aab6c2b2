/// What the probe has seen of one actor type's queue and of the stays on it; classifying only.
package struct ActorTimes: Sendable, Hashable {
  /// As presented, and by which rows are matched; as in `ActorCounts`.
  package var name: String
  package var qualifiedName: String
  /// Arrivals that have resumed at once, and others that have resumed.
  package var fast: UInt64
  package var slow: UInt64
  /// From the switch to the resumption, slow arrivals only; a fast one waits 0.
  package var wait: ProbeHistogram
  /// Holds that were all timed: after a slow arrival, and long ones. Nanoseconds.
  package var hold: ProbeHistogram
  /// Short holds after a fast arrival, each of the count stands for `ActorTimesReport.holdStride` of them.
  package var fastHold: ProbeHistogram
  /// Tasks waiting or running there at an arrival that found the actor busy; all others found 0.
  package var depth: ProbeHistogram
  /// Arrivals that found the actor busy.
  package var contended: UInt64
  /// Slow arrivals whose wait is not in `wait`.
  package var waitsUnseen: UInt64
  /// Holds whose beginning or end was not seen.
  package var holdsUnseen: UInt64
  /// Holds by a task of a lower priority than one that waited for their end, and how long it did, in ns.
  package var inversions: UInt64
  package var inversionTime: UInt64
  package var inversionMaximum: UInt64

  /// All arrivals that have resumed.
  package var arrivals: UInt64 { fast &+ slow }

  mutating func add(_ other: ActorTimes) {
    fast &+= other.fast
    slow &+= other.slow
    wait.add(other.wait)
    hold.add(other.hold)
    fastHold.add(other.fastHold)
    depth.add(other.depth)
    contended &+= other.contended
    waitsUnseen &+= other.waitsUnseen
    holdsUnseen &+= other.holdsUnseen
    inversions &+= other.inversions
    inversionTime &+= other.inversionTime
    inversionMaximum = max(inversionMaximum, other.inversionMaximum)
  }

  func since(_ earlier: ActorTimes) -> ActorTimes {
    var change = self
    change.fast &-= earlier.fast
    change.slow &-= earlier.slow
    change.wait = wait.since(earlier.wait)
    change.hold = hold.since(earlier.hold)
    change.fastHold = fastHold.since(earlier.fastHold)
    change.depth = depth.since(earlier.depth)
    change.contended &-= earlier.contended
    change.waitsUnseen &-= earlier.waitsUnseen
    change.holdsUnseen &-= earlier.holdsUnseen
    change.inversions &-= earlier.inversions
    change.inversionTime &-= earlier.inversionTime
    return change
  }
}

/// Hops from one actor type onto another.
package struct ActorRoute: Sendable, Hashable {
  /// Presented names; `nil`: from the generic executor, which is no actor.
  package var from: String?
  package var onto: String

  /// Makes a route.
  package init(from: String?, onto: String) {
    self.from = from
    self.onto = onto
  }
}

/// An actor instance that some task had to wait for.
package struct ActorInstanceTimes: Sendable, Hashable {
  package var address: UInt64
  /// Of its type.
  package var qualifiedName: String
  /// Arrivals that were not fast.
  package var slow: UInt64
  /// Nanoseconds of the holds that were timed in full.
  package var held: UInt64
}

/// Waits, holds, depths and routes since the first start. Take the difference of two for a window.
package struct ActorTimesReport: Sendable, Hashable {
  /// By qualified name.
  package var actors: [ActorTimes]
  package var routes: [ActorRoute: UInt64]
  /// Hops whose route was not kept.
  package var routesLost: UInt64
  /// The busiest first; only in this process, not read from a file.
  package var instances: [ActorInstanceTimes]
  /// Each of `fastHold` stands for so many.
  package var holdStride: UInt64
  /// Values that nothing was free for.
  package var timesLost: UInt64
  /// Looks at an actor's state that contradicted what was known: other than 0, depths are not to be trusted.
  package var stateMismatches: UInt64

  /// The row of this name, qualified or as presented.
  package func actor(_ name: String) -> ActorTimes? {
    actors.first { $0.qualifiedName == name || $0.name == name }
  }

  /// Both together, as of two windows. Single instances are not told.
  package func adding(_ other: ActorTimesReport) -> ActorTimesReport {
    var sum = self
    for row in other.actors {
      if let index = sum.actors.firstIndex(where: { $0.qualifiedName == row.qualifiedName }) {
        sum.actors[index].add(row)
      } else {
        sum.actors.append(row)
      }
    }
    sum.routes.merge(other.routes) { $0 &+ $1 }
    sum.routesLost &+= other.routesLost
    sum.instances = []
    sum.timesLost &+= other.timesLost
    sum.stateMismatches &+= other.stateMismatches
    return sum
  }

  /// With bounds for extremes, where those that stand here are of a longer time.
  var bounded: ActorTimesReport {
    var bounded = self
    for index in actors.indices {
      bounded.actors[index].wait = actors[index].wait.bounded
      bounded.actors[index].hold = actors[index].hold.bounded
      bounded.actors[index].fastHold = actors[index].fastHold.bounded
      bounded.actors[index].depth = actors[index].depth.bounded
    }
    bounded.actors = bounded.actors.filter { $0.arrivals > 0 || $0.hold.count > 0 || $0.holdsUnseen > 0 }
    bounded.routes = routes.filter { $0.value > 0 }
    return bounded
  }

  /// What came after `earlier`; actors that nothing happened to are left out.
  package func since(_ earlier: ActorTimesReport) -> ActorTimesReport {
    var change = self
    let before = Dictionary(
      earlier.actors.map { ($0.qualifiedName, $0) }, uniquingKeysWith: { first, _ in first })
    change.actors = actors.map { now in before[now.qualifiedName].map { now.since($0) } ?? now }
      .filter { $0.arrivals > 0 || $0.hold.count > 0 || $0.holdsUnseen > 0 }
    change.routes = routes.compactMapValues { $0 }
    for (route, count) in earlier.routes { change.routes[route, default: count] &-= count }
    change.routes = change.routes.filter { $0.value > 0 }
    change.routesLost &-= earlier.routesLost
    let known = Dictionary(
      earlier.instances.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })
    change.instances = instances.map { now in
      guard let then = known[now.address] else { return now }
      var instance = now
      instance.slow &-= then.slow
      instance.held &-= then.held
      return instance
    }.filter { $0.slow > 0 || $0.held > 0 }.sorted { ($1.held, $0.address) < ($0.held, $1.address) }
    change.timesLost &-= earlier.timesLost
    change.stateMismatches &-= earlier.stateMismatches
    return change
  }
}
