internal import Glibc
internal import RunEngine
internal import RunRecords
internal import RuntimeProbe

/// Makes the record of a recorded program out of what its probe left.
struct RecordingReport {
  let command: [String]
  let inspection: ProgramInspection
  let environment: EnvironmentRecord

  /// What is said of everything that was counted and not judged.
  static let notJudged = "recorded; nothing was judged, a recorded program has no gates"

  /// The last part of a path.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? "program"
  }

  /// The record before the program has ended.
  var unfinished: RunRecord {
    run(
      [], .interrupted, ["the program had not ended when this was written; its counters are in cells/"],
      cost: nil)
  }

  /// The record of a program that has ended.
  func record(_ ending: ProgramWatch.Ending, prefix: String) -> RunRecord {
    let chain = RecordedChain(prefix: prefix, maps: ending.maps)
    var cell = CellRecord(
      strategy: Self.name(of: command[0]), variant: "sound", clock: "real", repetition: 1, verdict: .passed)
    var figures = RecordedFigures(recording: chain.counted, ending: ending)
    figures.add(to: &cell)
    cell.findings = AliveTasks(recording: chain.counted, maps: chain.maps, end: ending.end).findings
    judge(&cell, chain, ending, figures)
    return run([cell], cell.verdict, cell.reasons, cost: figures.cost)
  }

  private func judge(
    _ cell: inout CellRecord, _ chain: RecordedChain, _ ending: ProgramWatch.Ending,
    _ figures: RecordedFigures
  ) {
    let signal = ending.status & 0x7F
    let wasAsked = [SIGINT, SIGTERM, SIGHUP].contains(signal)
    if signal != 0, !wasAsked {
      cell.verdict = .crashed
      cell.reasons.append(
        "the program was ended by \(SignalName.of(signal)); what was counted until then is kept")
    }
    if chain.counted == nil {
      cell.verdict = min(cell.verdict, .invalid)
      cell.reasons += absence(chain)
    } else {
      if cell.metrics["probe.lost"].map({ $0.double > 0 }) == true {
        cell.verdict = min(cell.verdict, .invalid)
        cell.reasons.append("the probe lost events: its counts are too low")
      }
      if cell.verdict == .passed { cell.reasons.append(Self.notJudged) }
    }
    if wasAsked { cell.reasons.append("the program was ended by \(SignalName.of(signal))") }
    if signal == 0, ending.status >> 8 != 0 {
      cell.reasons.append("the program exited with \((ending.status >> 8) & 0xFF)")
    }
    cell.reasons += figures.notes + chain.notes + ending.warnings
    if chain.counted != nil, inspection.hasSymbols == false {
      cell.reasons.append("the program is stripped: names of its types are there, places in it are not")
    }
  }

  private func absence(_ chain: RecordedChain) -> [String] {
    if let reason = chain.refusal { return ["nothing was counted: \(reason)"] }
    switch inspection.way {
    case .none(let answer), .builtIn(let answer):
      return ["nothing was counted: \(answer[0])"] + answer.dropFirst()
    case .preload:
      return [
        "nothing was counted: the program ended before the probe could start, or the run directory has no room for "
          + "the probe's files"
      ]
    }
  }

  private func run(_ cells: [CellRecord], _ verdict: Verdict, _ reasons: [String], cost: CellCost?)
    -> RunRecord
  {
    let words = command.map {
      $0.contains(where: { " \"'$\\\n".contains($0) }) || $0.isEmpty ? "'\($0)'" : $0
    }
    var environment = environment
    if let cost { environment.cost = [cost] }
    environment.linking =
      switch cells.first?.coverage {
      case .userCode?: "preloaded"
      case .wholeRuntime?: "wrapped"
      default: "absent"
      }
    return RunRecord(
      scenario: ScenarioRecord(
        name: Self.name(of: command[0]), about: "A program as it is, recorded.", pipeline: "",
        seed: 0, loadModel: ScenarioRecord.recorded, warmUp: 0, resolved: words.joined(separator: " ")),
      environment: environment, cells: cells, cellsPlanned: 1, comparisons: [], gates: [], expectations: [],
      verdict: verdict, reasons: reasons)
  }
}

/// The programs that the recorded process has been, one after the other.
struct RecordedChain {
  /// The last one in which something was counted.
  private(set) var counted: Recording?
  /// Its images.
  private(set) var maps = ""
  /// Why nothing was counted in any, if one has said so.
  private(set) var refusal: String?
  /// What there is to say of the changes.
  private(set) var notes: [String] = []

  init(prefix: String, maps: [Int: String]) {
    var number = 1
    var countedNumber = 0
    var last: Recording?
    while let recording = Recording.read(.init(prefix: prefix, number: number)) {
      last = recording
      if recording.counts != nil {
        counted = recording
        countedNumber = number
        self.maps = maps[number] ?? recording.maps
      }
      switch recording.state {
      case .absent(let reason), .refused(let reason): refusal = reason
      case .counting, .stopped: break
      }
      if let next = recording.executed { note(next, recording) }
      number += 1
    }
    if let counted, counted.forks > 0 {
      notes.append(
        "it forked \(counted.forks == 1 ? "once" : "\(counted.forks) times"): what its children did is not counted"
      )
    }
    if countedNumber > 0, countedNumber < number - 1 || last?.executed != nil {
      notes.append("the figures are those of the program before; what came after it was not counted")
    }
  }

  private mutating func note(_ next: String, _ recording: Recording) {
    notes.append("the process turned itself into \(RecordingReport.name(of: next))")
  }
}
