internal import WorkloadInterface

/// What a provider that holds its caller's thread cannot do.
enum BlockingLimits {
  /// Throws where a blocking registry meets a names provider that would never let go of the thread.
  static func check(_ cell: CellContext) throws {
    guard cell.strategy.kind == "inside-actor", cell.strategy.parameters.boolean("blocking") == true,
      let names = cell.providers["names"]
    else { return }
    if names.capacity != nil {
      throw WorkloadError(
        "a blocked thread cannot queue; leave `capacity` out", key: "providers.names.capacity")
    }
    if names.failures.contains(where: { $0.kind == .hang }) {
      throw WorkloadError(
        "a thread that hangs is never freed; use `timeout`", key: "providers.names.failures")
    }
  }
}
