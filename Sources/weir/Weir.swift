internal import BuiltInWorkloads
internal import WeirCLI

/// The tool with the pipelines that come with it.
@main struct WeirTool {
  /// Synchronous on purpose: a cell installs its own executors before the first task.
  static func main() {
    Weir.main(workloads: BuiltInWorkloads.all)
  }
}
