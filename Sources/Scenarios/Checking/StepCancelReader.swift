internal import WorkloadInterface

/// Reads `cancel: { at-step: each, orders: 3 }`.
struct StepCancelReader {
  let log: DiagnosticLog
  private var values: ValueReader { ValueReader(log: log) }

  init(log: DiagnosticLog) { self.log = log }

  static let keys = ["at-step", "order", "orders"]
  /// The word for one run for each step.
  static let each = "each"
  private static let allowed = "each, or the number of a step, from 0"

  /// The cancel; nil, and reported, where it cannot be had beside the other settings.
  func read(_ node: DocumentNode, _ settings: ScenarioSettings) -> Scenario.StepCancel? {
    let place = "`behaviour.cancel`, where the pipeline has a scripted user who cancels"
    guard
      let mapping = MappingReader(
        node, "`cancel`", keys: Self.keys, elsewhere: ["share": place, "after": place], log: log)
    else { return nil }
    guard let step = mapping.require("at-step", Self.allowed).flatMap(self.step) else { return nil }
    let orders = mapping["orders"].flatMap {
      values.integer($0, "orders", in: 1...ScenarioLimits.repetitions)
    }
    let order = mapping["order"].flatMap { values.integer($0, "order", in: 1...ScenarioLimits.repetitions) }
    check(mapping, settings)
    return Scenario.StepCancel(step: step.number, orders: order.map { $0...$0 } ?? 1...(orders ?? 1))
  }

  /// `each` has no number.
  private struct Step { var number: Int? }

  private func step(_ node: DocumentNode) -> Step? {
    if node.text == Self.each { return Step(number: nil) }
    if let text = node.text, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }),
      let number = Int(text)
    {
      return Step(number: number)
    }
    log.report("`at-step` cannot be \(node.kindName)", at: node, allowed: Self.allowed)
    return nil
  }

  private func check(_ mapping: MappingReader, _ settings: ScenarioSettings) {
    if settings.clocks != [.virtual] {
      log.report(
        "`cancel` counts scheduling steps, which virtual time alone has", at: mapping.node,
        allowed: "clock: virtual")
    }
    if settings.schedule != .everyHop {
      for key in ["order", "orders"] where mapping[key] != nil {
        log.report(
          "`\(key)` is of the orders that `every-hop` draws", at: mapping[key] ?? mapping.node,
          allowed: "schedule: every-hop")
      }
    }
    if settings.repetitions > 1 {
      log.report(
        "`repetitions` would run each step again to the same end", at: mapping.node,
        allowed: "repetitions: 1; `orders` tries other orders of jobs")
    }
  }
}
