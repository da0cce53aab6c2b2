public import StoryPipeline

/// Flaw: the flush stands behind the loop, where a thrown cancellation never comes.
///
/// What the worker had collected is gone. Sound: ``CandidateCollector`` flushes at the end, whatever it is.
public final class ForgetfulIntake: CandidateIntake {
  private let sound: any CandidateIntake

  /// Wraps the sound intake and withholds its end.
  public init(_ sound: any CandidateIntake) { self.sound = sound }

  /// As the sound one.
  public func accept(_ candidate: Candidate) async throws { try await sound.accept(candidate) }

  /// As the sound one.
  public func storePending() async { await sound.storePending() }

  /// Does nothing unless the stage has finished.
  public func finish(_ ending: StageEnding) async {
    if ending == .finished { await sound.finish(ending) }
  }
}
