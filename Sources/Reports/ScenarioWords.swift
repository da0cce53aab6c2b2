/// The words of scenario files that a reader of a report or of `explain` may meet.
enum ScenarioWords {
  static let all = [
    ("provider", "What the pipeline asks for its content. Weir's are scripted: latency, failures, capacity."),
    ("iteration", "One run of the whole pipeline by one scripted user."),
    (
      "users",
      "In a closed load, how many scripted users run iteration after iteration. A list of numbers, `users: [1, 4, 16]`, is a sweep: one cell for each."
    ),
    (
      "step",
      "On the virtual clock: a job, a callback or a jump of time. `cancel: { at-step: each }` cancels what runs after each of them in turn, one run for each."
    ),
    ("steps", "What a sweep over scheduling steps counts: `steps.run`, `steps.failed` and others."),
    (
      "at-step",
      "Key of `cancel`: the scheduling steps at which everything that runs is cancelled, `each` or one number."
    ),
    (
      "orders",
      "Key of `cancel`: how many orders of ready jobs a sweep over steps tries; more than one needs `schedule: every-hop`."
    ),
    (
      "schedule",
      "Which ready job the virtual clock runs next: `production`, first in first out, or `every-hop`, drawn at each."
    ),
    ("every-hop", "A `schedule`: the seed draws which of the ready jobs runs next, at every hop."),
    (
      "clock",
      "`virtual`: time jumps to the next timer, figures are exact. `real`: the machine's, with its noise."
    ),
    (
      "grace",
      "How long tasks may live on after their iteration before they are orphans; those that end within it have settled."
    ),
    ("drain", "How long a cell waits, after its load, for iterations that still run."),
    ("watchdog", "A cell that makes no progress for so long is `hung`, and ended."),
    ("window", "The part of a cell that distributions are measured over: without the warm-up."),
    (
      "late-calls",
      "Calls that reached a provider although their caller had been cancelled (`cancel.late-calls`)."
    ),
    (
      "strategy not run",
      "The gate is for a strategy that `--strategy` left out: it is not judged, and not counted as a pass."
    ),
    (
      "one step alone",
      "The gate is on a sweep over scheduling steps, of which one alone was run: it is not judged, and not counted as a pass."
    ),
  ]
}
