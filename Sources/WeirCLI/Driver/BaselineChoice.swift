internal import Gates
internal import RunRecords
internal import Scenarios
internal import WorkloadInterface

/// Which baselines a run is held against, and where its own figures are kept.
struct BaselineChoice {
  /// The directory of the baselines; nil to hold against none.
  var against: String?
  /// The directory that the run is kept in; nil to keep nothing.
  var kept: String?
  /// Whether an improvement that the baseline lacks is a failure.
  var isStrict = false
  /// The strategies that the command line names; empty for all.
  private var chosen: [String] = []
  /// The baselines by scenario, as they were before anything was run.
  private var loaded: [String: Baseline] = [:]

  /// Nothing is held or kept.
  init() {}

  /// As the command line says.
  ///
  /// - Throws: `UsageError` for `--strict` without a baseline.
  init(_ invocation: Invocation) throws(UsageError) {
    against = invocation.value(.baseline)
    kept = invocation.value(.saveBaseline)
    isStrict = invocation.has(.strict)
    chosen = invocation.all(.strategy)
    if isStrict, against == nil {
      throw UsageError("`--strict` has no meaning without `--baseline`", command: "run")
    }
  }

  /// The files of the baselines that scenarios are held against, there or not.
  func read(_ scenarios: [Scenario]) -> [String] {
    against.map { path in scenarios.map { Self.path(path, $0.name) } } ?? []
  }

  /// The files that scenarios are kept in.
  ///
  /// - Throws: `UsageError` for one that something else than a file is at.
  func written(_ scenarios: [Scenario]) throws(UsageError) -> [OutputFile] {
    var files: [OutputFile] = []
    for scenario in kept == nil ? [] : scenarios {
      files.append(
        try OutputFile(
          Self.path(kept ?? "", scenario.name), option: "save-baseline", makesDirectories: true,
          command: "run"))
    }
    return files
  }

  /// Reads the baselines of these scenarios, and tries the place where theirs are to be kept: what is wrong with
  /// either is known before anything is run.
  ///
  /// - Throws: `UsageError` when a baseline is there and cannot be used, or none could be written.
  mutating func prepare(_ names: [String]) throws(UsageError) {
    if let against {
      for name in names { loaded[name] = try BaselineFile.read(Self.path(against, name), of: name) }
    }
    if let kept { try BaselinePlace.check(kept, files: names.map { Self.path(kept, $0) }) }
  }

  /// The record with what it came to against its baseline; as it is where none was asked for or where it was
  /// interrupted.
  func held(_ run: RunRecord, workload: WorkloadDeclaration) -> RunRecord {
    guard against != nil, run.verdict != .interrupted else { return run }
    var run = run
    let asked = AskedFigures.terms(
      gates: run.gates.map(\.gate), workload: workload.metrics, cells: run.cells)
    run.hold(
      against: BaselineJudge.judge(
        run, against: loaded[run.scenario.name], asked: asked, workload: workload.metrics, isStrict: isStrict,
        chosen: chosen))
    return run
  }

  /// Keeps the run's figures, and says where, or why not.
  ///
  /// - Throws: `WorkFailure` when the file cannot be written.
  func save(_ run: RunRecord, workload: WorkloadDeclaration) throws(WorkFailure) -> String? {
    guard let kept else { return nil }
    guard [.passed, .inconclusive, .noBaseline, .regressed].contains(run.verdict) else {
      return "no baseline was saved: the run \(run.verdict == .hung ? "hung" : "is \(run.verdict.rawValue)")"
    }
    try FileSystem.makeDirectory(kept)
    let path = Self.path(kept, run.scenario.name)
    try FileSystem.write(
      try RunFiles.encodePretty(BaselineJudge.baseline(of: run, workload: workload.metrics)), to: path)
    return "baseline in \(path)"
  }

  private static func path(_ directory: String, _ scenario: String) -> String {
    (directory.count > 1 && directory.hasSuffix("/") ? String(directory.dropLast()) : directory)
      + "/\(scenario).json"
  }
}
