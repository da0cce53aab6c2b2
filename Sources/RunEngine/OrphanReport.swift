internal import RuntimeProbe
internal import WorkloadInterface

/// Turns orphans, and tasks that are kept though they are over, into findings, one for each place of creation.
/// Symbols are looked up here, after the run.
enum OrphanReport {
  /// Sentences in one finding.
  private static let sentences = 5

  /// - Parameter now: Nanoseconds of the probe's clock, to say how long tasks have been suspended; `nil` where that
  ///   clock is no real one.
  static func findings(_ watch: OrphanWatch, now: Int64?) -> [ReportedFinding] {
    let outliving = OutlivingTasks(watch)
    guard !outliving.isEmpty else { return [] }
    var descriptions = TaskDescriptions()
    return findings(outliving, now: now, &descriptions)
  }

  /// The same of tasks that another process has looked at: a copy of this one, so that addresses mean the same.
  static func findings(
    _ tasks: OutlivingTasks, now: Int64?, _ descriptions: inout TaskDescriptions
  ) -> [ReportedFinding] {
    orphans(tasks.orphans, now: now, &descriptions) + kept(tasks, &descriptions)
  }

  private static func orphans(
    _ orphans: [OrphanWatch.Orphan], now: Int64?, _ descriptions: inout TaskDescriptions
  ) -> [ReportedFinding] {
    var byPlace: [String: [OrphanWatch.Orphan]] = [:]
    for orphan in orphans { byPlace[descriptions.place(of: orphan.task), default: []].append(orphan) }
    return byPlace.map { place, orphans in
      let tasks = orphans.map(\.task)
      var evidence: [String: Int64] = [
        "tasks": Int64(orphans.count),
        "cancelled-and-still-alive": Int64(tasks.count { $0.isCancelled }),
      ]
      for state in [LiveTask.State.notStarted, .running, .enqueued, .suspended] {
        let number = tasks.count { $0.state == state }
        if number > 0 { evidence[state.rawValue.replacing(" ", with: "-")] = Int64(number) }
      }
      let ended = orphans.count { !$0.isAlive }
      if ended > 0 { evidence["ended-later"] = Int64(ended) }
      if let now, let first = tasks.filter({ $0.state == .suspended }).compactMap(\.lastRan).min() {
        evidence["longest-suspended-ns"] = max(0, now - first)
      }
      var finding = ReportedFinding("orphaned-task", count: orphans.count, evidence: evidence, place: place)
      finding.iterations = Array(Set(orphans.map(\.iteration)).sorted().prefix(10))
      finding.details = descriptions.grouped(tasks, limit: sentences, withPlace: false)
      return finding
    }
  }

  /// Tasks that are over, but kept. One that somebody holds until the next replaces it is no fault; a table that
  /// keeps them has some of many iterations.
  private static func kept(
    _ watch: OutlivingTasks, _ descriptions: inout TaskDescriptions
  ) -> [ReportedFinding] {
    var byPlace: [String: [OrphanWatch.Retained]] = [:]
    for task in watch.retained { byPlace[descriptions.place(of: task.task), default: []].append(task) }
    return byPlace.compactMap { place, kept in
      let iterations = Set(kept.map(\.iteration)).sorted()
      guard iterations.count >= 3, Int64(iterations.count) * 10 >= watch.iterationsEnded else { return nil }
      var finding = ReportedFinding(
        "retained-task", count: kept.count,
        evidence: ["tasks": Int64(kept.count), "iterations": Int64(iterations.count)], place: place)
      finding.iterations = Array(iterations.prefix(10))
      finding.details = descriptions.grouped(kept.map(\.task), limit: sentences, withPlace: false)
      return finding
    }
  }
}

/// Tasks that were there when they should not have been.
struct OutlivingTasks: Codable {
  var orphans: [OrphanWatch.Orphan]
  var retained: [OrphanWatch.Retained]
  var iterationsEnded: Int64

  init(_ watch: OrphanWatch) {
    orphans = watch.orphans
    retained = watch.retained
    iterationsEnded = watch.iterationsEnded
  }

  var isEmpty: Bool { orphans.isEmpty && retained.isEmpty }
}
