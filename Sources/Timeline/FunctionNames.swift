package import RuntimeProbe

/// Names of functions by address, looked up once for a trace.
package struct FunctionNames: Sendable {
  private let names: [UInt64: FunctionName]

  /// Looks up every address that the model has.
  package init(for model: TimelineModel, lookUp: (UInt64) -> FunctionName?) {
    var codes: Set<UInt64> = []
    for stay in model.stays {
      codes.insert(stay.code)
      codes.formUnion(stay.awaits)
    }
    for course in model.tasks.values {
      codes.insert(course.code)
      codes.formUnion(course.creation)
    }
    var names: [UInt64: FunctionName] = [:]
    for code in codes where code != 0 { names[code] = lookUp(code) }
    self.names = names
  }

  /// The function that a stay begins in: after a continuation, the innermost of those it goes on in that is not the
  /// library's; in a task's first stay, what the task begins with. `nil` where none has a name.
  package func function(of index: Int, in model: TimelineModel) -> String? {
    let stay = model.stays[index]
    let course = model.tasks[stay.task]
    let isFirst = stay.origin == nil && course?.stays.first == index
    return best([stay.code] + stay.resumes) ?? (isFirst ? course.flatMap(function) : nil)
  }

  /// What the task begins with, else where it was made.
  package func function(of course: TaskCourse) -> String? {
    if course.isTimer { return "timer of Task.sleep" }
    if let own = names[course.code], own.weight != .library { return own.text }
    let place = course.creation.lazy.compactMap { names[$0] }.first { $0.weight != .library }
    return place.map { "task of \($0.text)" } ?? names[course.code]?.text
  }

  /// What a stay suspended in.
  package func suspension(of stay: Stay) -> String? { best(stay.awaits) }

  /// The functions that called each other there, innermost first: `a ← b`.
  package func chain(_ addresses: [UInt64]) -> String? {
    let known = addresses.compactMap { names[$0]?.text }
    return known.isEmpty ? nil : known.joined(separator: " ← ")
  }

  /// The innermost of the program's functions, else the outermost known of those between, else the innermost.
  private func best(_ addresses: [UInt64]) -> String? {
    let known = addresses.compactMap { names[$0] }
    let best = known.first { $0.weight == .program } ?? known.last { $0.weight == .between } ?? known.first
    return best?.text
  }
}
