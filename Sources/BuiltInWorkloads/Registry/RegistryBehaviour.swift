internal import SeededDraws
internal import WorkloadInterface

/// What one iteration of `registry` does.
struct RegistryBehaviour: Sendable {
  /// How readers look.
  enum Path: String, CaseIterable {
    /// At what is published beside the registry.
    case published
    /// By calling the registry.
    case registry
  }

  /// The priority of workers.
  enum Priority: String, CaseIterable {
    case background, medium, high
  }

  /// Workers, each with a stage and a batch of its own.
  let workers: Int
  /// Slots of each worker's stage.
  let elements: Int
  /// Readers.
  let readers: Int
  /// Pause of a reader between looks.
  let pause: Distribution
  /// How readers look.
  let path: Path
  /// Whether all iterations of the cell store into one registry.
  let isShared: Bool
  /// Of the workers' tasks; nil: that of the iteration.
  let priority: TaskPriority?

  /// Reads checked values; what is absent takes the declared default.
  init(_ values: ParameterValues) {
    let readers = values.record("readers")
    workers = values.integer("workers") ?? 4
    elements = values.integer("elements") ?? 10
    self.readers = readers?.integer("count") ?? 1
    pause = readers?.distribution("every") ?? Defaults.constant(10_000_000)
    isShared = values.boolean("shared") ?? false
    priority =
      switch values.choice("priority").flatMap(Priority.init) {
      case .background: .background
      case .medium: .medium
      case .high: .high
      case nil: nil
      }
    path = readers?.choice("through").flatMap(Path.init) ?? .published
  }

  /// The keys of `behaviour:`.
  static let declared = [
    ParameterDeclaration(
      "workers", .integer(1...1024), default: .integer(4), about: "Workers that store into one registry."),
    ParameterDeclaration(
      "elements", .integer(1...1_000_000), default: .integer(10), about: "Elements that each worker makes."),
    ParameterDeclaration(
      "shared", .boolean, default: .boolean(false),
      about: "Whether all iterations store into one registry, or each into one of its own."),
    ParameterDeclaration(
      "priority", .choice(Priority.allCases.map(\.rawValue)),
      about: "Priority of the workers' tasks; without it that of the iteration."),
    ParameterDeclaration(
      "readers",
      .record([
        ParameterDeclaration("count", .integer(0...1024), default: .integer(1), about: "Readers."),
        ParameterDeclaration(
          "every", .distribution, default: .distribution(Defaults.constant(10_000_000)),
          about: "Pause of a reader between two looks."),
        ParameterDeclaration(
          "through", .choice(Path.allCases.map(\.rawValue)), default: .choice(Path.published.rawValue),
          about: "Whether a reader looks at what is published, or calls the registry: one more hop each."),
      ]), about: "Who reads while the workers store."),
  ]
}
