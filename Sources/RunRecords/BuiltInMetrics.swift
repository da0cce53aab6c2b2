package import WorkloadInterface

extension MetricCatalogue {
  /// Weir's own metrics; `weir explain` prints them.
  package static let builtIn: [MetricDeclaration] =
    iterations + steps + elements + latencies + runtime + actors + providers + costs

  private static let iterations: [MetricDeclaration] = [
    .init(
      "arrivals.planned", .counter, .count, .neutral, exactOn: ClockKind.allCases,
      about: "Starts that the load plan asked for until the cell ended."),
    .init(
      "arrivals.dropped", .counter, .count, .lower,
      about: "Arrivals that could not start at the limit and were given up."),
    .init(
      "arrivals.queued", .counter, .count, .lower,
      about: "Arrivals still waiting to start when the cell ended."),
    .init("iterations.started", .counter, .count, .neutral, about: "Iterations that began."),
    .init("iterations.completed", .counter, .count, .higher, about: "Iterations that did all of their work."),
    .init("iterations.failed", .counter, .count, .lower, about: "Iterations in which the pipeline gave up."),
    .init(
      "iterations.cancelled", .counter, .count, .neutral,
      about: "Iterations that their scripted user cancelled."),
    .init(
      "iterations.running", .counter, .count, .lower,
      about: "Iterations that had not ended when the drain time was over."),
    .init("iterations.in-flight.max", .gauge, .count, .lower, about: "Most iterations running at once."),
    .init(
      "iterations.in-system.area", .counter, .nanoseconds, .neutral,
      about:
        "The number of iterations in the system (from intended start to end), summed over time. In a drained cell it equals the sum of sojourn times (Little's law)."
    ),
    .init(
      "iterations.sojourn.sum", .counter, .nanoseconds, .neutral,
      about: "Time from intended start to end, summed over all iterations that ended."),
    .init(
      "goodput", .gauge, .perSecond, .higher, window: .measured,
      about: "Iterations per second that completed within the scenario's objective."),
  ]

  private static let steps: [MetricDeclaration] = [
    .init(
      "steps.run", .counter, .count, .neutral, measuredOn: [.virtual],
      about:
        "Runs of a sweep (`cancel: { at-step: each }`): one for each scheduling step at which an iteration was running, cancelled there."
    ),
    .init(
      "steps.failed", .counter, .count, .lower, measuredOn: [.virtual],
      about: "Runs of a sweep that had a finding, came to a stand, crashed or proved nothing."),
    .init(
      "steps.asked", .counter, .count, .neutral, measuredOn: [.virtual],
      about: "Iterations that were cancelled, over all runs of a sweep."),
    .init(
      "steps.cancelled", .counter, .count, .higher, measuredOn: [.virtual],
      about: "Of these, iterations that ended as cancelled; the others ended some other way first."),
    .init(
      "steps.lost", .counter, .count, .lower, measuredOn: [.virtual],
      about: "Elements lost, over all runs of a sweep."),
  ]

  private static let elements: [MetricDeclaration] = [
    .init("elements.made", .counter, .count, .neutral, about: "Elements that stages produced."),
    .init("elements.delivered", .counter, .count, .higher, about: "Elements that reached their consumer."),
    .init("elements.stored", .counter, .count, .higher, about: "Elements that reached the registry."),
    .init(
      "elements.buffered", .counter, .count, .neutral, about: "Elements in a buffer when the cell ended."),
    .init(
      "elements.dropped", .counter, .count, .lower,
      about: "Elements that a buffer's policy gave up, and those withdrawn by a cancel before delivery."),
    .init(
      "elements.lost", .counter, .count, .lower,
      about: "Elements that were made and reached nobody, though nothing asked for that."),
    .init("elements.refused", .counter, .count, .lower, about: "Elements that a consumer refused to take."),
    .init("flush.count", .counter, .count, .neutral, about: "Flushes of a batch into the registry."),
    .init(
      "flush.cause", labels: ["cause"], .counter, .count, .neutral,
      about: "Flushes by cause: size, age or end."),
    .init("flush.size", .distribution, .count, .neutral, about: "Elements in one flush."),
    .init("buffer.depth", .gauge, .count, .lower, about: "Most elements waiting in a stream's buffer."),
    .init("buffer.dropped", .counter, .count, .lower, about: "Elements that a stream's buffer dropped."),
    .init("selections.made", .counter, .count, .neutral, about: "Choices that scripted users made."),
    .init(
      "selections.lost", .counter, .count, .lower,
      about: "Choices that named an element not yet visible and were forgotten."),
    .init(
      "selections.refused", .counter, .count, .lower,
      about: "Choices that were refused with an error, because the element was not visible yet."),
  ]

  private static let latencies: [MetricDeclaration] = [
    .init(
      "latency.iteration", .distribution, .nanoseconds, .lower, window: .measured,
      about: "Time from an iteration's intended start to its end; in closed load from its real start."),
    .init(
      "service.iteration", .distribution, .nanoseconds, .lower, window: .measured,
      about: "Time from an iteration's real start to its end."),
    .init(
      "latency.stage", labels: ["stage"], .distribution, .nanoseconds, .lower, window: .measured,
      about: "Time that a stage of the pipeline took."),
    .init(
      "time-to-first-element", .distribution, .nanoseconds, .lower, window: .measured,
      about: "Time from a stage's start to its first element."),
    .init(
      "inter-element", .distribution, .nanoseconds, .lower, window: .measured,
      about: "Time between two elements of one stream."),
    .init(
      "staleness", labels: ["at"], .distribution, .nanoseconds, .lower, window: .measured,
      about: "Time from an element's making to its being visible in the registry or the view."),
    .init(
      "load.offered", .gauge, .perSecond, .neutral,
      about: "Arrivals per second that the plan asked for, over its own length."),
    .init(
      "load.achieved", .gauge, .perSecond, .higher,
      about: "Iterations per second that started, over the time it took."),
    .init(
      "throughput", .gauge, .perSecond, .higher,
      about: "Iterations completed per second, over the whole cell until the last one ended."),
    .init(
      "load.lateness", .distribution, .nanoseconds, .lower,
      about:
        "Time from an intended start to the real one that the load generator itself is to blame for (queueing at the limit excluded)."
    ),
    .init(
      "load.generator-cpu", .gauge, .ratio, .lower, measuredOn: [.real],
      about: "Share of one core that the load generator used."),
  ]

  private static let runtime: [MetricDeclaration] = [
    .init(
      "hops", labels: ["actor", "role"], .counter, .count, .lower,
      about: "Moves of a task onto an actor; by actor type, or by the role that the workload gives it."),
    .init(
      "switches", labels: ["outcome"], .counter, .count, .neutral,
      about:
        "Raw executor switches: same (no move), fast (thread taken along), slow (enqueued). fast and slow on the real clock only. They follow compiler and flags: gate hops instead."
    ),
    .init("tasks.created", .counter, .count, .neutral, about: "Tasks that the process created."),
    .init("tasks.ended", .counter, .count, .neutral, about: "Tasks that ended."),
    .init(
      "tasks.orphaned", .counter, .count, .lower,
      about: "Tasks alive after their iteration had ended and the grace time had passed."),
    .init(
      "tasks.settled", .counter, .count, .neutral,
      about: "Tasks that outlived their iteration and ended within the grace time."),
    .init(
      "tasks.settle-time", .distribution, .nanoseconds, .lower,
      about: "How long settled tasks outlived their iteration."),
    .init(
      "tasks.alive", .gauge, .count, .lower,
      about:
        "Tasks of iterations alive after the grace time; what is over and only referred to is not among them."
    ),
    .init(
      "tasks.retained", .gauge, .count, .lower,
      about: "Tasks of ended iterations that are over and still referred to after the grace time."),
    .init("tasks.alive.max", .gauge, .count, .lower, about: "Most tasks alive at once."),
    .init(
      "cancel.delay", .distribution, .nanoseconds, .lower,
      about:
        "Time from the first cancel of a task to its end, of every task cancelled; needs the linking that sees Task.cancel()."
    ),
    .init(
      "cancel.call-latency", labels: ["provider"], .distribution, .nanoseconds, .lower,
      about:
        "Time from a scripted user's cancel to the end of each provider call that was open then or begun later: min is when the provider first noticed, max when the last call ended."
    ),
    .init("cancel.requested", .counter, .count, .neutral, about: "Cancels that scripted users issued."),
    .init(
      "cancel.latency", labels: ["stage", "how"], .distribution, .nanoseconds, .lower, window: .measured,
      about:
        "Time from a cancel to the end of the iteration; by the stage it fell in, or by how the consumer left: cancel, leave, break, drop."
    ),
    .init(
      "cancel.late-calls", labels: ["how"], .counter, .count, .lower,
      about: "Provider calls that began after the consumer had cancelled or left."),
    .init(
      "cancel.late-elements", labels: ["how"], .counter, .count, .lower,
      about: "Elements that providers made after the consumer had cancelled or left."),
    .init("probe.lost", .counter, .count, .lower, about: "Events that the probe could not keep."),
    .init(
      "probe.switch-cost", .gauge, .nanoseconds, .neutral, measuredOn: [.real],
      about: "What the probe adds to one switch, as calibrated at the start of the cell."),
  ]

  private static let actors: [MetricDeclaration] = [
    .init(
      "actor.wait", labels: ["actor"], .distribution, .nanoseconds, .lower, exactOn: [], measuredOn: [.real],
      window: .measured,
      about:
        "Time from a task's switch onto an actor to its resumption there; a switch that took the thread along waits 0. By actor type; actors with their own executor bear the executor's name."
    ),
    .init(
      "actor.hold", labels: ["actor"], .distribution, .nanoseconds, .lower, exactOn: [], measuredOn: [.real],
      window: .measured,
      about:
        "Time that a task stayed on an actor: from its resumption there to the next switch away, suspension or end. Holds after a slow arrival are all timed; of the short ones after a fast arrival one in actor.hold-stride is, later one in four times as many, and counts for all."
    ),
    .init(
      "actor.depth", labels: ["actor"], .distribution, .count, .lower, exactOn: [], measuredOn: [.real],
      window: .measured,
      about: "Tasks that waited for an actor or ran on it when another arrived."),
    .init(
      "actor.busy", labels: ["actor"], .gauge, .ratio, .lower, exactOn: [], measuredOn: [.real],
      window: .measured,
      about:
        "All holds of an actor type, divided by the length of the window: the mean number of its instances that were busy. Above 1 with several instances."
    ),
    .init(
      "actor.busiest", labels: ["actor"], .gauge, .ratio, .lower, exactOn: [], measuredOn: [.real],
      window: .measured,
      about:
        "Share of the window in which the busiest instance of an actor type was held by tasks that had waited for it, or held it long. Instances that followed one another at one address are one."
    ),
    .init(
      "actor.contended", labels: ["actor"], .gauge, .ratio, .lower, exactOn: [], measuredOn: [.real],
      window: .measured,
      about: "Share of the arrivals on an actor that found it busy."),
    .init(
      "actor.hold-stride", .gauge, .count, .neutral, exactOn: [], measuredOn: [.real], window: .measured,
      about: "Of the first short holds after a fast arrival, one in so many is timed."),
    .init(
      "actor.clock-drift", .gauge, .ratio, .neutral, exactOn: [], measuredOn: [.real],
      about:
        "How far the processor's cycle counter, by which waits and holds are timed, strayed from the kernel's clock during the cell."
    ),
    .init(
      "hops.from", labels: ["route"], .counter, .count, .neutral, measuredOn: [.real], window: .measured,
      about:
        "Hops by route, as {route=Registry->Screen}: from which actor type onto which; `generic` where the task came from no actor."
    ),
  ]

  private static let providers: [MetricDeclaration] = [
    .init("attempts", .gauge, .ratio, .lower, about: "Provider calls for each iteration that ended."),
    .init("retries", .counter, .count, .lower, about: "Provider calls after the first for one slot."),
    .init(
      "provider.calls", labels: ["provider"], .counter, .count, .neutral,
      about: "Calls that a provider was asked, counted at the fake."),
    .init(
      "provider.served", labels: ["provider"], .counter, .count, .neutral,
      about: "Calls that a provider answered."),
    .init(
      "provider.elements", labels: ["provider"], .counter, .count, .neutral,
      about: "Elements that a streaming provider made."),
    .init(
      "provider.failures", labels: ["kind", "provider"], .counter, .count, .lower,
      about: "Calls that failed as the script says, by kind or by provider."),
    .init(
      "provider.wait", labels: ["provider"], .distribution, .nanoseconds, .lower,
      about:
        "Time that a call waits for one of its provider's places (`capacity`): where it is long, the provider is the bottleneck."
    ),
    .init(
      "provider.in-flight", labels: ["provider"], .gauge, .count, .neutral,
      about: "Most calls of a provider open at once."),
    .init(
      "provider.after-consumer-left", labels: ["provider"], .counter, .count, .lower,
      about: "Answers or elements that a provider made after the consumer had left."),
    .init("sink.updates", .counter, .count, .lower, about: "Updates shown to the user."),
    .init(
      "sink.hitches", .counter, .count, .lower, measuredOn: [.real],
      about: "Updates that held the main actor for more than 16.7 ms."),
  ]

  private static let costs: [MetricDeclaration] = [
    .init(
      "heap.mallocs", .counter, .count, .lower, exactOn: [], window: .measured,
      about:
        "Allocations, from the end of the warm-up to the last iteration (jemalloc). They differ by some per mille from process to process, on the virtual clock too."
    ),
    .init(
      "heap.bytes", .counter, .bytes, .lower, exactOn: [], window: .measured,
      about: "Bytes allocated in the same window."),
    .init("heap.live", .gauge, .bytes, .lower, exactOn: [], about: "Bytes in use at the end of the cell."),
    .init(
      "heap.peak", .gauge, .bytes, .lower, exactOn: [],
      measuredOn: [.real],
      about: "Most bytes in use, as sampled about twenty times a second."),
    .init(
      "heap.retained", .gauge, .bytes, .lower, exactOn: [], measuredOn: [.real], window: .measured,
      about:
        "Bytes in use after the grace time more than at the end of the warm-up, whether or not a task is alive: a cancelled sleep keeps its memory until its old deadline."
    ),
    .init(
      "heap.growth", .gauge, .bytes, .lower, exactOn: [], measuredOn: [.real], window: .measured,
      about: "Bytes in use: growth per second of the measured window, by least squares."),
    .init(
      "heap.growth.error", .gauge, .bytes, .neutral, exactOn: [], measuredOn: [.real], window: .measured,
      about: "Standard error of heap.growth. Growth within two of it is none that can be told."),
    .init(
      "heap.mallocs-per-element", .gauge, .ratio, .lower, exactOn: [], window: .measured,
      about: "Allocations for each element made; run the pipeline `empty` beside it for Weir's own share."),
    .init(
      "heap.bytes-per-element", .gauge, .ratio, .lower, exactOn: [], window: .measured,
      about: "Bytes allocated for each element made."),
    .init(
      "cpu.user", .gauge, .nanoseconds, .lower, exactOn: [], measuredOn: [.real],
      about: "Processor time in user code, whole cell."),
    .init(
      "cpu.system", .gauge, .nanoseconds, .lower, exactOn: [], measuredOn: [.real],
      about: "Processor time in the kernel, whole cell."),
    .init(
      "rss.peak", .gauge, .bytes, .lower, exactOn: [], measuredOn: [.real],
      about: "Most memory resident, whole cell."),
    .init(
      "wall", .gauge, .nanoseconds, .lower, exactOn: [], measuredOn: [.real], about: "Wall time of the cell."),
  ]
}
