import Testing

/// What the tool must show, shown by running it. One at a time: some of it runs on the real clock, and what is
/// measured there must not compete with the test beside it.
@Suite("Acceptance", .enabled(if: BuiltTool.isThere), .serialized)
enum AcceptanceTests {}
