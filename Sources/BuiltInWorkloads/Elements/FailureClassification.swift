public import ProviderScripts
public import StoryPipeline

/// A scripted failure tells the pipeline whether asking again may help.
extension ProviderFailure: RetryClassifying {}
