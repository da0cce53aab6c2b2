public import WorkloadInterface

/// The pipelines that come with Weir, bound to scripted providers.
public enum BuiltInWorkloads {
  /// All of them, in the order in which `weir list` shows them.
  public static let all: [any Workload] = [
    StoryWorkload(), RegistryWorkload(), TokensWorkload(), FlowWorkload(), FeedWorkload(),
    PagesWorkload(), TimeoutWorkload(), HandoverWorkload(), EmptyWorkload(),
  ]
}
