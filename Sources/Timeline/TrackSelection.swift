/// Which actors have a track of their own: the busiest. The others of a type share one, in as many lanes as were held
/// at once.
struct TrackSelection {
  /// Tracks of actors at most.
  static let actorLimit = 100

  /// Actors with a track, the busiest first.
  let own: [Int]
  /// Of the others, by type: how many there are and the lanes of their stays, each in order.
  let shared: [(type: String, actors: Int, lanes: [[Int]])]

  init(_ model: TimelineModel, limit: Int = Self.actorLimit) {
    var held = Array(repeating: Int64(0), count: model.actors.count)
    var count = Array(repeating: 0, count: model.actors.count)
    for stay in model.stays {
      guard let actor = stay.actor else { continue }
      held[actor] += stay.end - stay.start
      count[actor] += 1
    }
    let ranked = model.actors.indices.sorted { (held[$0], count[$0], $1) > (held[$1], count[$1], $0) }
    own = Array(ranked.prefix(limit))
    let rest = Set(ranked.dropFirst(limit))
    var byType: [String: (actors: Int, stays: [Int])] = [:]
    for actor in rest { byType[model.actors[actor].type, default: (0, [])].actors += 1 }
    for (index, stay) in model.stays.enumerated() {
      guard let actor = stay.actor, rest.contains(actor) else { continue }
      byType[model.actors[actor].type]?.stays.append(index)
    }
    shared = byType.sorted { $0.key < $1.key }.map { type, part in
      (
        type, part.actors,
        Lanes.pack(part.stays.map { ($0, model.stays[$0].startOrder, model.stays[$0].endOrder) })
      )
    }
  }
}

/// Intervals side by side, so that none overlaps another of its lane.
enum Lanes {
  /// Puts each interval into the first lane that is free; those that find none among `limit` lanes are left out.
  static func pack(_ intervals: [(item: Int, start: Int, end: Int)], limit: Int = .max) -> [[Int]] {
    var lanes: [[Int]] = []
    var ends: [Int] = []
    for interval in intervals.sorted(by: { ($0.start, $0.item) < ($1.start, $1.item) }) {
      if let free = ends.firstIndex(where: { $0 <= interval.start }) {
        lanes[free].append(interval.item)
        ends[free] = max(interval.start, interval.end)
      } else if lanes.count < limit {
        lanes.append([interval.item])
        ends.append(max(interval.start, interval.end))
      }
    }
    return lanes
  }
}
