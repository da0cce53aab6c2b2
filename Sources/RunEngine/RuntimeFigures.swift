internal import HeapProbe
internal import RunRecords
internal import RuntimeProbe
internal import WorkloadInterface

extension CellFigures {
  /// What the probe counted, by actor and by role, whole cell and window.
  ///
  /// An actor without hops has no row. A role without hops is a measured zero only where the session says that no
  /// actor plays it; else its actor was not seen, by that name at least, and the figure is absent.
  mutating func set(
    whole: ProbeCounts, window: ProbeCounts, calibration: Calibration, roles: [String: String],
    rolesWithoutActor: Set<String>, clock: ClockKind
  ) {
    if case .absent(let reason) = calibration.hops {
      absent["hops"] = reason
    } else {
      set("hops", cell: Int64(whole.hops), window: Int64(window.hops))
      for actor in whole.actors where !actor.isOwn {
        set(
          "hops{actor=\(actor.name)}", cell: Int64(actor.hops),
          window: Int64(window.hops(onto: actor.qualifiedName) ?? 0))
      }
      for role in Set(roles.values).sorted() {
        let actors = roles.filter { $0.value == role }.map(\.key)
        func sum(_ counts: ProbeCounts) -> Int64 {
          counts.actors.filter { actors.contains($0.name) || actors.contains($0.unqualifiedName) }
            .reduce(0) { $0 + Int64($1.hops) }
        }
        let hops = sum(whole)
        guard hops > 0 || rolesWithoutActor.contains(role) else {
          let seen = whole.actors.filter { !$0.isOwn }.map(\.name).joined(separator: ", ")
          absent["hops{role=\(role)}"] =
            "no task hopped onto \(actors.sorted().joined(separator: " or ")), which plays that role; actors seen: "
            + (seen.isEmpty ? "none" : seen)
          continue
        }
        set("hops{role=\(role)}", cell: hops, window: sum(window))
      }
      set("switches{outcome=same}", cell: Int64(whole.switchesSame), window: Int64(window.switchesSame))
    }
    switch (clock, calibration.outcomes) {
    case (.virtual, _):
      absent["switches{outcome=fast}"] = "outcomes of a switch follow the machine: real clock only"
      absent["switches{outcome=slow}"] = absent["switches{outcome=fast}"]
    case (.real, .exact):
      set("switches{outcome=fast}", cell: Int64(whole.switchesFast), window: Int64(window.switchesFast))
      set("switches{outcome=slow}", cell: Int64(whole.switchesSlow), window: Int64(window.switchesSlow))
    case (.real, .absent(let reason)):
      absent["switches{outcome=fast}"] = reason
      absent["switches{outcome=slow}"] = reason
    }
    if case .absent(let reason) = calibration.tasks {
      for name in Self.taskNames {
        absent[name] = reason
      }
    } else {
      set("tasks.created", cell: Int64(whole.tasksCreated), window: Int64(window.tasksCreated))
      set("tasks.ended", cell: Int64(whole.tasksEnded), window: Int64(window.tasksEnded))
      set("tasks.alive.max", Int64(whole.tasksAliveMax))
    }
    set("probe.lost", Int64(whole.eventsLost))
  }

  /// The probe is absent: so is everything it would have counted.
  mutating func setProbeAbsent(_ reason: String) {
    for name in [
      "hops", "switches{outcome=same}", "switches{outcome=fast}", "switches{outcome=slow}", "cancel.delay",
      "probe.lost",
    ] + Self.taskNames {
      absent[name] = reason
    }
  }

  private static let taskNames = [
    "tasks.created", "tasks.ended", "tasks.alive", "tasks.alive.max", "tasks.orphaned", "tasks.retained",
    "tasks.settled", "tasks.settle-time",
  ]
}

extension ActorCounts {
  /// Whether it belongs to Weir's own calibration.
  var isOwn: Bool { qualifiedName.hasPrefix("RuntimeProbe.") }

  /// The last part of the qualified name.
  var unqualifiedName: String {
    qualifiedName.split(separator: ".").last.map(String.init) ?? qualifiedName
  }
}
