/// Names of functions by address, looked up once for a trace.
package struct FunctionNames: Sendable {
  private let names: [UInt64: String]

  /// Looks up every address that the model's stays and tasks begin at.
  package init(for model: TimelineModel, lookUp: (UInt64) -> String?) {
    var names: [UInt64: String] = [:]
    for code in Set(model.stays.map(\.code) + model.tasks.values.map(\.code)) where code != 0 {
      names[code] = lookUp(code)
    }
    self.names = names
  }

  /// What the stay ran first: of a task's first stay, what the task begins with; `nil` where neither has a name.
  package func function(of stay: Stay, in model: TimelineModel) -> String? {
    if let name = names[stay.code] { return name }
    guard let course = model.tasks[stay.task], let first = course.stays.first, model.stays[first] == stay else {
      return nil
    }
    return names[course.code]
  }

  /// What the task begins with.
  package func function(of course: TaskCourse) -> String? { names[course.code] }
}
