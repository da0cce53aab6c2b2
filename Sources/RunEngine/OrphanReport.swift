internal import RuntimeProbe
internal import WorkloadInterface

/// Turns orphans into findings, one for each place of creation. Symbols are looked up here, after the run.
enum OrphanReport {
  static func findings(_ orphans: [OrphanWatch.Orphan]) -> [ReportedFinding] {
    guard !orphans.isEmpty else { return [] }
    var places = CreationPlaces()
    var byPlace: [String: [OrphanWatch.Orphan]] = [:]
    for orphan in orphans {
      byPlace[places.place(of: orphan.task.creationAddresses)?.description ?? "unknown place", default: []]
        .append(orphan)
    }
    return byPlace.map { place, orphans in
      var finding = ReportedFinding(
        "orphaned-task", count: orphans.count,
        evidence: [
          "tasks": Int64(orphans.count),
          "cancelled-and-still-alive": Int64(orphans.count { $0.task.isCancelled }),
        ], place: place)
      finding.iterations = Array(Set(orphans.map(\.iteration)).sorted().prefix(10))
      return finding
    }
  }
}
