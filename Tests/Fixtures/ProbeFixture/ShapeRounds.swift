import RuntimeProbe
import Synchronization

/// Runs all shapes with all endings at once, many times, and judges each by what the ledger says of it.
struct ShapeRounds: Sendable {
  let rounds: Int
  /// So many rounds are alive side by side, each with iteration tags of its own.
  var atOnce = 1
  /// In ns. A busy machine may stop this program for a while: on the real clock there is time for that, and more
  /// where the rounds took long to start.
  let grace: Int64

  /// One shape and ending, with its number as an iteration.
  private struct Case {
    var shape: Shape
    var ending: Ending
    var iteration: Int
    var remains: Remains
    /// When its iteration ended.
    var end: Int64
  }

  /// What a watch has seen, by iteration.
  private struct Seen {
    var orphans: [Int: [LiveTask]] = [:]
    var retained: [Int: [LiveTask]] = [:]
    var settled: [Int: [Int64]]
    var grace: Int64

    init(_ watch: OrphanWatch, _ settled: [Int: [Int64]]) {
      for orphan in watch.orphans where orphan.isAlive {
        orphans[orphan.iteration, default: []].append(orphan.task)
      }
      for task in watch.retained { retained[task.iteration, default: []].append(task.task) }
      self.settled = settled
      grace = watch.grace
    }
  }

  private struct Judgement {
    var verdicts = 0
    var wrong = 0
    var settleTimes: [Int64] = []
    var descriptions = TaskDescriptions()
    var chains = AsyncChains()
    var places = CreationPlaces()
  }

  func run() async -> Int32 {
    var judgement = Judgement()
    var next = 0
    for first in stride(from: 0, to: rounds, by: atOnce) {
      let begin = Probe.now()
      var cases: [Case] = []
      for _ in first..<min(rounds, first + atOnce) { cases += await start(from: next + cases.count) }
      next += cases.count
      // The first rounds have waited for the last ones: that is no fault of theirs.
      var watch = OrphanWatch(grace: grace + 5 * (Probe.now() - begin))
      for each in cases { watch.iterationEnded(each.iteration, at: each.end) }
      let settled = await look(&watch, cases)
      watch.describeOrphans(limit: .max) { Probe.readChain(of: &$0) }
      let seen = Seen(watch, settled)
      for (index, each) in cases.enumerated() {
        judge(each, seen, &judgement, isShown: first == 0 && index < Shapes.all.count * Ending.allCases.count)
      }
      await release(cases)
    }
    let times = judgement.settleTimes.sorted()
    if let least = times.first, let most = times.last { print("settled after \(least) to \(most) ns") }
    print("verdicts \(judgement.verdicts) wrong \(judgement.wrong)")
    return judgement.wrong == 0 ? 0 : 1
  }

  // MARK: Running

  private func start(from first: Int) async -> [Case] {
    var cases: [Case] = []
    for shape in Shapes.all {
      for ending in Ending.allCases {
        let iteration = first + cases.count
        let remains = await Task.detached {
          Probe.setIteration(OrphanWatch.tag(of: iteration))
          let remains = await shape.start(ending)
          if ending == .cancelled { for task in remains.tasks { task.cancel() } }
          if ending == .awaited {
            remains.gate.open()
            for task in remains.tasks { await task.value }
          }
          Probe.setIteration(0)
          // A handle in this table would keep a task that is over; code that is sound holds none either.
          return ending == .never ? remains : Remains(line: remains.line, gate: remains.gate)
        }.value
        cases.append(
          Case(shape: shape, ending: ending, iteration: iteration, remains: remains, end: Probe.now()))
      }
    }
    return cases
  }

  private func look(_ watch: inout OrphanWatch, _ cases: [Case]) async -> [Int: [Int64]] {
    var settled: [Int: [Int64]] = [:]
    let start = Probe.now()
    var step = 0
    while step % 5 != 1 || Probe.now() - start < watch.grace + 10_000_000 {
      if step == 2 { for each in cases where each.ending == .soon { each.remains.gate.open() } }
      if step % 5 == 0 {
        let live = Probe.liveTasks()
        let ends = Dictionary(
          Probe.takeEndedTasks().tasks.map { ($0.id, $0.endedAt) }, uniquingKeysWith: { first, _ in first })
        let look = watch.look(at: live, now: Probe.now(), ends: ends)
        for task in look.suspects { Probe.follow(task) }
        for task in look.settled { settled[task.iteration, default: []].append(task.after) }
      }
      step += 1
      try? await Task.sleep(for: .milliseconds(5), tolerance: .zero)
      tickets.tick()
    }
    return settled
  }

  private func release(_ cases: [Case]) async {
    for each in cases {
      each.remains.gate.open()
      forgotten.resume(each.remains.gate)
      each.remains.release()
      for task in each.remains.tasks { await task.value }
    }
  }

  // MARK: Judging

  private func judge(
    _ one: Case, _ seen: Seen, _ judgement: inout Judgement, isShown: Bool
  ) {
    judgement.verdicts += 1
    let orphans = seen.orphans[one.iteration] ?? []
    let retained = seen.retained[one.iteration] ?? []
    let expected = one.shape.expected()
    let faults: [String]
    if one.ending != .never {
      faults = (orphans + retained).map { "unexpected \(judgement.descriptions.text($0))" }
    } else {
      let found = expected.fate == .retained ? retained : orphans
      switch expected.fate {
      case .settled:
        let times = seen.settled[one.iteration] ?? []
        judgement.settleTimes += times
        let isRight = times.count == 1 && times[0] >= 79_000_000 && times[0] < seen.grace
        faults = isRight && orphans.isEmpty ? [] : ["settled \(times), orphans \(orphans.count)"]
      case .orphan, .retained:
        faults = check(found, others: orphans.count + retained.count - found.count, expected, one, &judgement)
      }
      if isShown {
        for task in found {
          let (text, place) = (judgement.descriptions.text(task), judgement.descriptions.place(of: task))
          print("\(one.shape.name): \(text), made at \(place)")
        }
      }
    }
    if !faults.isEmpty {
      judgement.wrong += 1
      print("WRONG \(one.shape.name), \(one.ending.rawValue): \(faults.joined(separator: "; "))")
    }
  }

  private func check(
    _ found: [LiveTask], others: Int, _ expected: Expected, _ one: Case, _ judgement: inout Judgement
  ) -> [String] {
    var faults: [String] = []
    if found.count != expected.count || others != 0 {
      faults.append("\(found.count) and \(others) tasks instead of \(expected.count)")
    }
    guard let task = found.first(where: { $0.kind == expected.kind }) else {
      return faults + ["none of kind \(expected.kind.rawValue)"]
    }
    if !expected.states.contains(task.state) { faults.append("state \(task.state.rawValue)") }
    if task.isCancelled != expected.isCancelled { faults.append("cancelled \(task.isCancelled)") }
    let place = judgement.places.place(of: task)
    if place?.function.contains(expected.function) != true {
      faults.append("made in \(place?.function ?? "?")")
    }
    if one.remains.line != 0, place?.line != one.remains.line {
      faults.append("made at line \(place?.line ?? 0) instead of \(one.remains.line)")
    }
    if !expected.chain.isEmpty, task.state == .suspended {
      let chain = judgement.chains.chain(of: task)?.description ?? ""
      if !chain.contains(expected.chain) { faults.append("chain \(chain)") }
    }
    return faults
  }
}
