package import RuntimeProbe

/// What a reader of a trace has to know of it, in sentences.
package struct TraceNotes {
  package var text: String
  /// Whether it belongs at the trace's end, else at its start.
  package var isAtEnd: Bool

  static let about =
    "Written by Weir. Slices of actors and threads run from where a task began to run there until it hopped away, "
    + "suspended or ended; arrows are hops; the clock, what is missing and what is not exact stand here as instants."

  /// In the order of what they say.
  package static func notes(_ recording: TraceRecording, _ model: TimelineModel) -> [TraceNotes] {
    var notes: [TraceNotes] = []
    if recording.isVirtual {
      notes.append(
        .init(
          text:
            "virtual time: nanoseconds of virtual time since the cell's start; computing takes none, so holds have "
            + "no length", isAtEnd: false))
    } else {
      notes.append(
        .init(
          text:
            "real time: CLOCK_MONOTONIC; tracing adds its own time to every hop, so holds and waits look longer",
          isAtEnd: false))
    }
    let unseen = model.stays.count { !$0.isEndSeen }
    if unseen > 0 {
      notes.append(
        .init(
          text:
            "\(unseen) of \(model.stays.count) slices end where another task was next seen on their thread: they may "
            + "have ended earlier", isAtEnd: false))
    }
    if recording.lost > 0 {
      notes.append(.init(text: "buffer full: \(recording.lost) later events are missing", isAtEnd: true))
    }
    if recording.wasCut {
      notes.append(
        .init(text: "the process ended without ending the trace: this is the last event", isAtEnd: true))
    }
    return notes
  }
}
