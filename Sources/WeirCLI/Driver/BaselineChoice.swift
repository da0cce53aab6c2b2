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

  /// Nothing is held or kept.
  init() {}

  /// As the command line says.
  ///
  /// - Throws: `UsageError` for `--strict` without a baseline.
  init(_ invocation: Invocation) throws(UsageError) {
    against = invocation.value(.baseline)
    kept = invocation.value(.saveBaseline)
    isStrict = invocation.has(.strict)
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

  /// The record with what it came to against its baseline; as it is where none was asked for or where it was
  /// interrupted.
  ///
  /// - Throws: `WorkFailure` when the baseline is there and cannot be read.
  func held(_ run: RunRecord, workload: WorkloadDeclaration) throws(WorkFailure) -> RunRecord {
    guard let against, run.verdict != .interrupted else { return run }
    var run = run
    let path = Self.path(against, run.scenario.name)
    let asked = AskedFigures.terms(
      gates: run.gates.map(\.gate), workload: workload.metrics, cells: run.cells)
    run.hold(
      against: BaselineJudge.judge(
        run, against: FileSystem.kind(path) == nil ? nil : try Self.read(path), asked: asked,
        workload: workload.metrics, isStrict: isStrict))
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

  private static func path(_ directory: String, _ name: String) -> String {
    (directory.hasSuffix("/") ? String(directory.dropLast()) : directory) + "/\(name).json"
  }

  private static func read(_ path: String) throws(WorkFailure) -> Baseline {
    let baseline = try RunFiles.decode(Baseline.self, path)
    guard baseline.format == Baseline.currentFormat else {
      throw WorkFailure(
        "\(path) has the format `\(baseline.format)`; this weir reads `\(Baseline.currentFormat)`")
    }
    return baseline
  }
}
