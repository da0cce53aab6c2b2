internal import Measurement
internal import RunRecords
internal import RuntimeProbe

/// What the probe saw of the actors in the measured window of a real cell.
struct ActorWindow {
  var report: ActorTimesReport
  /// Length of the window in ns.
  var length: Int64
  /// How far the clock of the figures strayed, as a share.
  var clockDrift: Double

  /// The actors that are not Weir's own.
  var actors: [ActorTimes] { report.actors.filter { !$0.qualifiedName.hasPrefix("RuntimeProbe.") } }

  /// Of so few that were not seen, a distribution is still told.
  static let toleratedShare = 0.01
  /// With a clock that strays further, nothing is told.
  static let toleratedDrift = 0.01

  /// Share of the window in which the busiest instance of a type was held by tasks that had waited.
  func busiest(_ actor: ActorTimes) -> Double {
    let held = report.instances.first { $0.qualifiedName == actor.qualifiedName }?.held ?? 0
    return length > 0 ? Double(held) / Double(length) : 0
  }

  /// The time of all holds in ns, those that were not timed estimated.
  func held(_ actor: ActorTimes) -> Double {
    Double(actor.hold.sum) + Double(actor.fastHold.sum) * Double(report.holdStride)
  }
}

extension ActorTimes {
  /// Why the waits are not told; nil where they are.
  var waitAbsence: String? {
    guard Double(waitsUnseen) > Double(arrivals) * ActorWindow.toleratedShare else { return nil }
    return "of \(slow) slow arrivals \(waitsUnseen) began where the probe did not look"
  }

  /// Why the holds are not told; nil where they are.
  var holdAbsence: String? {
    guard Double(holdsUnseen) > Double(arrivals) * ActorWindow.toleratedShare else { return nil }
    return
      "\(holdsUnseen) holds beside \(arrivals) arrivals began or ended inside the runtime, where this linking does not look"
  }
}

extension CellFigures {
  /// The metrics that exist once for each actor type.
  private static let byActor = ["wait", "hold", "depth", "busy", "busiest", "contended"]

  /// Waits, holds, depths, shares and routes of the actors in the window.
  mutating func set(_ window: ActorWindow, calibration: Calibration) {
    if case .absent(let reason) = calibration.outcomes { return setActorsAbsent(reason) }
    let drift = window.clockDrift
    set("actor.clock-drift", ratio: drift, otherwise: "the clock could not be checked")
    guard drift.magnitude <= ActorWindow.toleratedDrift, window.report.timesLost == 0, window.length > 0
    else {
      return setActorsAbsent(
        window.report.timesLost > 0
          ? "there are more actors and threads than the probe keeps times for"
          : window.length > 0
            ? "the processor's cycle counter does not keep time" : "the measured window has no length")
    }
    set("actor.hold-stride", Int64(window.report.holdStride))
    for actor in window.actors { set(actor, window) }
    for (route, count) in window.report.routes {
      guard route.onto != "CalibrationActor", route.from != "CalibrationActor" else { continue }
      set("hops.from{route=\(route.from ?? "generic")->\(route.onto)}", Int64(clamping: count))
    }
    if window.report.routesLost > 0 {
      absent["hops.from"] = "\(window.report.routesLost) hops went by more routes than the probe keeps"
    }
  }

  private mutating func set(_ actor: ActorTimes, _ window: ActorWindow) {
    func name(_ metric: String) -> String { "actor.\(metric){actor=\(actor.name)}" }
    if let reason = actor.waitAbsence {
      absent[name("wait")] = reason
    } else {
      set(name("wait"), LatencyHistogram(actor.wait, zeros: actor.fast))
    }
    if let reason = actor.holdAbsence {
      for metric in ["hold", "busy", "busiest"] { absent[name(metric)] = reason }
    } else {
      set(name("hold"), LatencyHistogram(actor.hold, actor.fastHold, stride: window.report.holdStride))
      let busy = window.held(actor) / Double(window.length)
      set(name("busy"), ratio: busy, otherwise: "the window has no length")
      set(name("busiest"), ratio: window.busiest(actor), otherwise: "the window has no length")
    }
    guard actor.arrivals > 0 else { return }
    if window.report.stateMismatches > 0 {
      for metric in ["depth", "contended"] {
        absent[name(metric)] = "an actor's state is not where the probe reads it"
      }
    } else {
      set(
        name("depth"),
        LatencyHistogram(actor.depth, zeros: actor.arrivals - min(actor.arrivals, actor.contended)))
      set(
        name("contended"), ratio: Double(actor.contended) / Double(actor.arrivals), otherwise: "no arrivals")
    }
  }

  /// Nothing is told of actors' times.
  mutating func setActorsAbsent(_ reason: String) {
    for metric in Self.byActor { absent["actor.\(metric)"] = reason }
    absent["hops.from"] = reason
  }
}

extension LatencyHistogram {
  /// The values of one distribution of the probe, and `zeros` that it does not hold.
  init(_ probed: ProbeHistogram, zeros: UInt64) {
    var groups = probed.filled.map { (value: Int64(clamping: $0.value), count: $0.count) }
    groups.append((0, zeros))
    let least = zeros > 0 ? 0 : Int64(clamping: probed.minimum)
    self.init(groups: groups, sum: probed.sum, range: least...max(least, Int64(clamping: probed.maximum)))
  }

  /// Holds that were all timed, and others of which one in `stride` was.
  init(_ timed: ProbeHistogram, _ sampled: ProbeHistogram, stride: UInt64) {
    let groups =
      timed.filled.map { (value: Int64(clamping: $0.value), count: $0.count) }
      + sampled.filled.map { (value: Int64(clamping: $0.value), count: $0.count * stride) }
    let filled = [timed, sampled].filter { $0.count > 0 }
    let least = Int64(clamping: filled.map(\.minimum).min() ?? 0)
    let most = Int64(clamping: filled.map(\.maximum).max() ?? 0)
    self.init(groups: groups, sum: timed.sum &+ sampled.sum &* stride, range: least...max(least, most))
  }
}
