internal import RunRecords
internal import RuntimeProbe

/// Tasks that were alive when a recorded program or its recording ended, one finding for each place of creation.
struct AliveTasks {
  let recording: Recording?
  let maps: String
  /// When the program had ended, CLOCK_MONOTONIC in ns.
  let end: Int64

  private static let unknown = "unknown place"

  var findings: [FindingRecord] {
    guard let recording, let look = recording.ledger else { return [] }
    var places = RecordedImages(maps: maps).places
    var byPlace: [String: [LiveTask]] = [:]
    var hasMain = false
    for task in look.tasks where task.id != recording.endingTask && task.state != .endedButRetained {
      // The task of the program's main function is no one's to end.
      if places?.isMain(task) == true {
        hasMain = true
        continue
      }
      let place = places?.place(of: task)
      byPlace[place?.description ?? Self.unknown, default: []].append(task)
    }
    return byPlace.map { place, tasks in finding(place, tasks, look, recording, besideMain: hasMain) }
      .sorted { ($1.count, $0.place ?? "") < ($0.count, $1.place ?? "") }
  }

  private func finding(
    _ place: String, _ tasks: [LiveTask], _ look: Recording.LedgerLook, _ recording: Recording,
    besideMain: Bool
  ) -> FindingRecord {
    var evidence: [String: Int64] = ["tasks": Int64(tasks.count)]
    func count(_ name: String, _ isMeant: (LiveTask) -> Bool) {
      let number = Int64(tasks.count(where: isMeant))
      if number > 0 { evidence[name] = number }
    }
    count("not-started") { $0.state == .notStarted }
    count("running") { $0.state == .running }
    count("enqueued") { $0.state == .enqueued }
    count("suspended") { $0.state == .suspended }
    count("cancelled", \.isCancelled)
    if recording.ending == .unseen, recording.state != .stopped { evidence["seen-before-end-ns"] = age(look) }
    return FindingRecord(
      name: "alive-at-end", count: tasks.count,
      message: message(tasks.count, look, recording)
        + (besideMain ? " The main task, which `tasks.created` counts too, is not among them." : ""),
      evidence: evidence, place: place, iterations: [], isExpected: false)
  }

  /// How long before the program's end the look was, in ns; no less than it is.
  private func age(_ look: Recording.LedgerLook) -> Int64 { max(0, end - look.time) }

  private func message(_ count: Int, _ look: Recording.LedgerLook, _ recording: Recording) -> String {
    let tasks = count == 1 ? "A task was" : "\(count) tasks were"
    let cut =
      look.total > look.tasks.count ? "; of \(look.total) in all \(look.tasks.count) were looked at" : ""
    switch (recording.state, recording.ending) {
    case (.stopped, _): return "\(tasks) alive when the recording was stopped\(cut)."
    case (_, .unseen):
      return
        "\(tasks) alive at the last look, \(ProgressText.seconds(age(look))) before the program was seen to be gone: it was killed, and could not be looked at in its end\(cut)."
    default: return "\(tasks) alive when the program ended\(cut)."
    }
  }
}
