/// A value of a YAML document that knows where it stands.
struct DocumentNode: Sendable {
  enum Content: Sendable {
    /// A text; `isPlain` when it stood without quotes.
    case scalar(String, isPlain: Bool)
    case sequence([DocumentNode])
    case mapping([DocumentEntry])
  }

  var content: Content
  var position: SourcePosition
  /// Where the text of a scalar begins when it stands in one line as written, so that offsets in it are
  /// columns of the file: behind the quote, if it has one.
  var textPosition: SourcePosition?

  /// The text of a scalar.
  var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  /// Whether nothing was written: an empty value, `~` or `null`.
  var isNull: Bool {
    if case .scalar(let text, isPlain: true) = content { ["", "~", "null"].contains(text) } else { false }
  }

  /// What the value is, for messages: "a list".
  var kindName: String {
    switch content {
    case .scalar(let text, let isPlain):
      isNull
        ? "nothing"
        : isPlain ? "`\(ScenarioDiagnostic.short(text))`" : "the text \"\(ScenarioDiagnostic.short(text))\""
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}

/// A key of a mapping and its value.
struct DocumentEntry: Sendable {
  var key: String
  var keyPosition: SourcePosition
  var value: DocumentNode
}
