/// How to read a timeline: what `weir explain timeline` prints.
enum TimelineExplanation {
  static let name = "timeline"

  static let text =
    ([
      "timeline (a Perfetto trace of one cell)",
      "  weir run SCENARIO --trace FILE [--trace-cell STRATEGY,CLOCK,USERS] [--pprof FILE]",
      "",
    ]
    + HelpText.table([
      (
        "which cell",
        "--trace-cell takes STRATEGY, CLOCK, VARIANT, #REPETITION and, of a sweep, USERS (16 or users=16), as many "
          + "as tell it from others; the first that fits is traced, and its name told"
      ),
      (
        "where to",
        "a file outside the run directory; one that is there is replaced, a link followed, a device, pipe or directory "
          + "refused. When it cannot be written the run is kept all the same, and ends with exit code 1; `weir record` says so and keeps the program's code"
      ),
      (
        "open it",
        "in Perfetto's UI, by its own file dialog; `w` `s` zoom, `a` `d` move, a click on a slice shows "
          + "its arrows and its task"
      ),
      (
        "Swift Actors",
        "a track for each actor, `Type #n` in order of their making, the busiest first, 100 at most; "
          + "the others of a type share one. A slice is a hold: the function, from where a task began to run there "
          + "until it hopped away or suspended. Beneath it, how many tasks wait for the actor"
      ),
      (
        "Swift Tasks",
        "how many are alive, and a track for each of the first 20 and the 20 longest iterations with all their tasks: "
          + "Creating, Running, Enqueued for an actor, Suspended in a function (of a wait for a task or a group it is known "
          + "when it ends); tasks of no iteration beneath"
      ),
      ("threads", "which actor, or else which function, each thread served; gaps are idle or not Swift"),
      ("arrows", "hops: from the slice that a task left to the one where it went on"),
      ("Instants", "cancels, flushes of buffers, faults of providers"),
      (
        "About this trace",
        "which clock it is in, what is missing, what is not exact. On the real clock times are "
          + "CLOCK_MONOTONIC's: what `perf record -k mono` wrote lies beside it. On the virtual clock computing takes "
          + "no time: holds have no length, and the lanes of tasks show what was waited for"
      ),
      (
        "what it costs",
        "32 bytes for each event, four events for a call of an actor and back, and less than a tenth of a microsecond for each hop. "
          + "The cell's times and rates are disturbed, other cells' are not"
      ),
      (
        "when it is full",
        "later events are lost, counted, and told: in the trace, on the terminal, in run.json"
      ),
      (
        "--pprof",
        "the same summed up, for `go tool pprof`, speedscope or Perfetto: hops, holds and hold, by role, "
          + "actor type, where from, function"
      ),
    ])).joined(separator: "\n") + "\n"
}
