/// The words that summaries and reports print beside metrics, findings and verdicts; `weir explain` knows them all.
package enum ReportWords {
  /// A word, or a few that belong together, and what it means.
  package struct Entry: Sendable {
    /// As it is printed.
    package let name: String
    /// One or two sentences.
    package let about: String
  }

  /// All of them.
  package static let all: [Entry] =
    (gates + baselines + iterations + validity + tables + setting + costs + ScenarioWords.all)
    .map { Entry(name: $0, about: $1) }

  /// What a word means, whatever its case; nil when it is none of these.
  package static func about(_ name: String) -> Entry? {
    all.first { $0.name.lowercased() == name.lowercased() }
  }

  private static let gates = [
    ("gate", "A condition on a metric or on the ratio of two: `metric [/ metric] < value [for strategy]`."),
    ("gates", "The scenario's conditions on metrics; those that did not hold come first."),
    ("hold", "Gates hold that were judged in every cell they are for, and passed in each."),
    (
      "pass", "The gate was judged and its figure lies within the limit, or the finding was seen as expected."
    ),
    (
      "fail",
      "The gate was judged and its figure lies outside the limit, or has no figure; or, with too few samples for its percentile, so many of them lie beyond the limit that chance alone would bring them there less than once in a hundred runs; or an expected finding was not seen."
    ),
    (
      "not judged",
      "A gate over a cell that hung, crashed, was interrupted or is invalid: its figures prove nothing. Or a gate for what was not run: a strategy that `--strategy` left out, the other steps of a sweep. Gates are for the sound variant where there is one. It is never counted as a pass."
    ),
    ("actual", "The figure that a gate was held against."),
    (
      "no figure",
      "The metric was not measured in that cell; a gate on it fails, and its reason stands below."
    ),
    (
      "margin",
      "How far inside or outside its limit a gate's figure lies, as a share of the limit. Of several cells it is the least."
    ),
    ("inside", "The gate holds, and its figure is so far from the limit, as a share of the limit."),
    (
      "outside", "The gate does not hold, and its figure is so far beyond the limit, as a share of the limit."
    ),
    ("on the limit", "The figure equals the limit."),
    (
      "where",
      "The cells that a line is about: a strategy, with clock, variant and repetition where they tell cells apart."
    ),
    ("all cells", "The line is about every cell of the run that it applies to."),
    ("verdict", "What it came to: `weir explain exit-codes` has them all. Of several the most severe wins."),
    ("what to do next", "After a run that did not pass: where to look, and the commands that show more."),
    ("why", "The reasons for the verdict, where there is more than one."),
    (
      "expected findings", "The findings that the scenario's `expect` names, each held against what was seen."
    ),
    ("findings", "Faults that were seen in cells, with their evidence; `weir list findings` has all kinds."),
    ("findings that were not expected", "Faults that nobody expected: each fails its cell."),
    ("finding", "A named fault with evidence, such as `orphaned-task`."),
    ("seen", "How often a finding occurred in the cell."),
    ("advice", "What to do about a finding."),
  ]

  private static let baselines = [
    ("baseline", "A stored run of the same scenario that this one is held against (`--baseline`)."),
    ("mark", "What became of a figure against the baseline: regressed, improved, or inconclusive."),
    ("improved", "Better than the baseline beyond noise. It changes no verdict, except under `--strict`."),
    ("before", "The baseline's figure: the median over its repetitions."),
    ("now", "This run's figure: the median over its repetitions."),
    ("multiple", "This run's figure divided by the baseline's."),
    (
      "compared",
      "How many figures were held against the baseline: where they are exact all that are better or worse, elsewhere those that the tables show. Sums that only keep books, and what neither way is better, are never compared. A figure that only one of the two has makes the run inconclusive."
    ),
    (
      "per iteration",
      "The row's figures are totals divided by the iterations started, since this run and the baseline started different numbers of them: a faster pipeline does more of them in the same time. They differ by more than 5 %, and counts of events by more than three standard errors."
    ),
  ]

  private static let iterations = [
    ("iterations", "What became of the runs of the pipeline in one cell; a range where cells differ."),
    ("planned", "Starts that the load plan asked for (`arrivals.planned`)."),
    ("started", "Iterations that began (`iterations.started`); under Environment, when the run began, UTC."),
    ("completed", "Iterations that did all of their work (`iterations.completed`)."),
    ("failed", "Iterations in which the pipeline gave up (`iterations.failed`)."),
    ("cancelled", "Iterations that their scripted user cancelled (`iterations.cancelled`)."),
    (
      "dropped",
      "Arrivals that could not start, because `max-in-flight` iterations were running, and were given up (`arrivals.dropped`)."
    ),
    (
      "running at the end",
      "Iterations that had not ended when the drain time was over (`iterations.running`)."
    ),
    (
      "in the warm-up",
      "Iterations that began in the warm-up: they are in the counts, and in no distribution of the measured window."
    ),
    ("in flight", "Iterations running at that moment."),
  ]

  private static let validity = [
    (
      "validity",
      "Whether the figures mean anything: how much of the load was delivered, and how honest the measurement was."
    ),
    ("offered", "Starts per second that the load plan asked for (`load.offered`)."),
    (
      "achieved",
      "Starts per second that were made (`load.achieved`). Below `offered` the load was not delivered."
    ),
    ("still queued", "Arrivals that still waited for their turn when the cell ended (`arrivals.queued`)."),
    (
      "start lateness p50",
      "How late iterations started behind their intended start (`load.lateness`), the median."
    ),
    (
      "start lateness p99",
      "How late iterations started behind their intended start (`load.lateness`), the 99th percentile."
    ),
    (
      "start lateness max",
      "How late iterations started behind their intended start (`load.lateness`), the latest."
    ),
    (
      "generator CPU",
      "Share of one core that making the load took; near 100 % the generator was the bottleneck."
    ),
    ("probe events lost", "What the probe had no room for (`probe.lost`); above 0 its counts are too low."),
    (
      "probe cost per switch",
      "What counting one switch took on this machine, from the calibration at the cell's start."
    ),
    (
      "coverage",
      "What counts of the runtime can see. whole-runtime: calls within the Swift runtime as well; user-code: only those that compiled code makes itself. Counts of different coverage are never compared."
    ),
    ("whole-runtime", "Coverage: calls within the Swift runtime are counted as well."),
    (
      "user-code",
      "Coverage: calls that compiled code makes into the Swift runtime are counted, and none within it."
    ),
    (
      "warm-up",
      "The start of the load, left out of distributions and of what covers the measured window; counts include it."
    ),
    ("no warm-up", "The scenario has no warm-up: everything covers the whole cell."),
    ("fact", "One of the figures that say whether the run is valid."),
    ("over all cells", "The figure that all cells share, or the range from least to most."),
    ("cell by cell", "The same figures for each cell."),
  ]

  private static let tables = [
    ("strategies", "The ways of doing the same work side by side, under the same load and draws."),
    ("strategy", "One way of doing the same work, e.g. `batched-5`; `weir list strategies` has them all."),
    ("figures", "The metrics of one cell, or of a recorded program."),
    ("all figures", "Every metric that a cell holds, and why the others are absent."),
    ("metric", "A figure's name, as gates write it; `weir list metrics` has them all."),
    ("figure", "The metric's value with its unit, to three significant figures."),
    ("exact", "The metric's value as `run.json` holds it: whole nanoseconds and bytes, or a plain number."),
    ("cell", "One scenario × strategy × clock × repetition, in a process of its own."),
    (
      "cells",
      "How many processes the run had: scenario × strategy × clock × repetition. Those of the virtual clock run as many at once as `--jobs` says."
    ),
    ("n", "How many values the distribution has."),
    ("min", "The least value."),
    ("mean", "The sum of all values divided by their number."),
    ("max", "The largest value."),
    ("percentile", "pN: so many per cent of the values are no larger (nearest rank)."),
    ("latency of an iteration", "Time from intended start to end (`latency.iteration`), by percentile."),
    ("course of the run", "Iterations planned, started and completed each second, and in flight, over time."),
    ("×", "A multiple of the first strategy's figure; nothing stands where the two are equal."),
    ("*", "Too few samples for this percentile: the tail is not resolved."),
    ("by load", "The cells of a sweep over users: a row for each strategy and number of users."),
    ("completed each second", "Iterations completed per second (`throughput`), the median over repetitions."),
    ("of the first", "The row's completed iterations per second divided by those with the fewest users."),
    ("latency p50", "The median of `latency.iteration` under that load."),
    ("latency p99", "The 99th percentile of `latency.iteration` under that load."),
    ("mean stay there", "How long a job held the actor that tasks waited for longest, on average."),
    ("–", "The strategy has no such figure."),
    (
      "n/a",
      "There is no figure or multiple that would mean anything: a division by 0, counts of different coverage, or figures of an interrupted cell."
    ),
    ("not measured", "The figure is absent; 0 would be a measured zero."),
    ("no samples", "The distribution is empty: nothing was measured."),
    ("same for all", "Figures that all strategies share."),
    ("within 2 %", "Figures that differ by no more than 2 % between strategies: least and most."),
    ("multiples", "Each strategy's figure divided by the first strategy's."),
    ("repetitions", "Runs of the same cell; tables show the median over them."),
  ]

  private static let setting = [
    ("pipeline", "The system under load; `weir list pipelines` has them all."),
    ("scenario", "What was run: pipeline, clock, load, provider scripts, scripted user, strategies, gates."),
    ("scenario file", "The file that the scenario came from, as it was given."),
    (
      "virtual clock",
      "Time jumps to the next timer: figures are exact and repeat to the byte, and CPU costs nothing."
    ),
    ("real clock", "The machine's time: contention and CPU are real, and figures carry their noise."),
    ("open load", "Arrivals come whether or not earlier iterations have ended."),
    ("closed load", "Users run one iteration after the other: slow answers slow the load down."),
    ("seed", "What all draws follow from; the same seed gives the same draws."),
    ("recorded program", "A program that `weir record` watched; nothing of it is judged."),
    ("recorded", "The program's figures were kept and nothing was judged; a recorded program has no gates."),
    ("environment", "What the run ran on; no part of it is compared."),
    ("weir", "Weir's version."),
    ("toolchain", "The version of the Swift compiler that built the program."),
    ("build", "`release` or `debug`."),
    (
      "probe",
      "How the probe is linked: wrapped (sees the whole runtime), interposed (user code), preloaded or absent."
    ),
    ("system", "Kernel and architecture."),
    ("processor", "The machine's processor."),
    ("cores", "How many the process may use."),
    ("commit", "The git commit of the directory the run started in, with `+changes` if it had some."),
  ]

  private static let costs = [
    (
      "wall time",
      "What the run took by the machine's clock, from its start to its end; less than its cells' together where several ran at once."
    ),
    ("wall", "What the cell took by the machine's clock."),
    ("CPU user", "Processor time of the cell in user code."),
    ("CPU system", "Processor time of the cell in the kernel."),
    ("peak memory", "The most memory that the cell's process had resident."),
    ("jobs", "Jobs that the virtual executor ran; 0 on the real clock."),
  ]
}
