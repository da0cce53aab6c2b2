internal import CFyaml

/// Reads YAML text into nodes: one document, bounded depth, no aliases, no key twice in one mapping.
///
/// The tree is built from events with a stack of its own, so no input can exhaust the thread's stack.
struct DocumentReader {
  /// Deeper nesting than this is refused.
  static let deepest = 64

  private let source: SourceText
  private let log: DiagnosticLog
  /// Columns to add in the first line, for a text that stands inside another one.
  private let shift: Int
  private var open: [OpenCollection] = []
  private var root: DocumentNode?
  private var documents = 0
  /// Where the last event ended: the place of an empty value.
  private var last: SourcePosition

  private init(source: SourceText, shift: Int, log: DiagnosticLog) {
    self.source = source
    self.shift = shift
    self.log = log
    last = SourcePosition(source: source, line: 1, column: 1 + shift)
  }

  /// The value that `text` holds; nil when it was refused, which the log tells.
  static func read(_ text: String, source: SourceText, shift: Int = 0, log: DiagnosticLog) -> DocumentNode? {
    var reader = DocumentReader(source: source, shift: shift, log: log)
    let faultsBefore = log.diagnostics.count
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in reader.read(characters) }
    }
    guard log.diagnostics.count == faultsBefore else { return nil }
    if reader.root == nil { log.report("there is no scenario in it: it is empty", at: reader.last) }
    return reader.root
  }

  private mutating func read(_ text: UnsafeBufferPointer<CChar>) {
    guard let base = text.baseAddress, text.count > 0 else { return }
    guard let reader = cfy_open(base, text.count) else {
      log.report("memory is too short to read it", at: last)
      return
    }
    defer { cfy_close(reader) }
    while !log.isFull {
      let event = cfy_next(reader)
      switch event.kind {
      case CFY_FAILED:
        reportFailures(reader)
        return
      case CFY_END: return
      default:
        guard take(event) else { return }
      }
    }
  }

  /// Takes an event; false when reading on makes no sense.
  private mutating func take(_ event: cfy_event) -> Bool {
    let place = position(event)
    defer {
      if event.end_line >= 0 { last = position(line: event.end_line, column: event.end_column) }
    }
    if event.has_anchor || event.kind == CFY_ALIAS {
      // The mark of an alias lies behind its star.
      let start = event.kind == CFY_ALIAS ? place.advanced(by: -1) : place
      log.report(
        "anchors and aliases are not used in scenarios", at: start, allowed: "the value itself, written out")
      return false
    }
    if event.has_tag {
      log.report("tags (`!`) are not used in scenarios", at: place, allowed: "the value without a tag")
      return false
    }
    switch event.kind {
    case CFY_DOCUMENT:
      documents += 1
      guard documents == 1 else {
        log.report("a second document begins here", at: place, allowed: "one scenario in a file")
        return false
      }
    case CFY_SEQUENCE, CFY_MAPPING:
      guard open.count < Self.deepest else {
        log.report("this is nested too deeply", at: place, allowed: "at most \(Self.deepest) levels")
        return false
      }
      open.append(
        OpenCollection(isMapping: event.kind == CFY_MAPPING, isFlow: event.is_flow, position: place))
    case CFY_SCALAR: add(scalar(event, at: place))
    case CFY_CLOSE:
      if let closed = open.popLast() { add(closed.node) }
    default: break
    }
    return true
  }

  private mutating func add(_ node: DocumentNode) {
    // Changed in place: a copy of the collection would cost its whole length for each element.
    let top = open.count - 1
    guard top >= 0 else {
      root = node
      return
    }
    guard open[top].isMapping else {
      open[top].elements.append(node)
      return
    }
    guard let (key, keyPosition) = open[top].pendingKey else {
      open[top].pendingKey = (name(ofKey: node), node.position)
      return
    }
    open[top].pendingKey = nil
    if let first = open[top].places[key] {
      log.report(
        "duplicate key `\(ScenarioDiagnostic.short(key))`", at: keyPosition, text: key,
        allowed: "each key once; it was given first at line \(first.line), column \(first.column)")
      return
    }
    open[top].places[key] = keyPosition
    var value = node
    if value.isNull, value.text == "" { value.position = keyPosition }
    open[top].entries.append(DocumentEntry(key: key, keyPosition: keyPosition, value: value))
  }

  private func name(ofKey node: DocumentNode) -> String {
    if let text = node.text, !node.isNull { return text }
    log.report("\(node.kindName) is no key", at: node, allowed: "a name")
    return ""
  }

  private func scalar(_ event: cfy_event, at place: SourcePosition) -> DocumentNode {
    let text =
      event.text.map { start in
        start.withMemoryRebound(to: UInt8.self, capacity: event.length) {
          String(decoding: UnsafeBufferPointer(start: $0, count: event.length), as: UTF8.self)
        }
      } ?? ""
    let isVerbatim =
      event.line >= 0 && event.line == event.end_line
      && event.end_column - event.column == text.unicodeScalars.count
    // The mark of a quoted text lies behind its quote.
    let start = event.is_quoted && event.column > 0 ? place.advanced(by: -1) : place
    return DocumentNode(
      content: .scalar(text, isPlain: event.is_plain), position: start, textPosition: isVerbatim ? place : nil
    )
  }

  private func position(_ event: cfy_event) -> SourcePosition {
    event.line < 0 ? last : position(line: event.line, column: event.column)
  }

  private func position(line: Int32, column: Int32) -> SourcePosition {
    SourcePosition(source: source, line: Int(line) + 1, column: Int(column) + 1 + (line == 0 ? shift : 0))
  }

  private func reportFailures(_ reader: UnsafeMutablePointer<cfy_reader>) {
    // The parser calls it by many names, none of them this one.
    if let tab = source.firstIndentingTab {
      log.report(
        "a tab cannot indent YAML", at: SourcePosition(source: source, line: tab.line, column: tab.column),
        allowed: "blanks, e.g. two for each level")
      return
    }
    var cursor: UnsafeMutableRawPointer?
    var failure = cfy_failure()
    var found = false
    while cfy_next_failure(reader, &cursor, &failure) {
      found = true
      let hasPlace = failure.line > 0 && failure.column > 0 && source.line(Int(failure.line)) != nil
      let place = hasPlace ? position(line: failure.line - 1, column: failure.column - 1) : last
      let unclosed = open.last { $0.isFlow }
      log.report(
        "not readable as YAML: \(String(cString: failure.message))", at: place,
        allowed: unclosed.map {
          "the \($0.isMapping ? "mapping" : "list") opened at line \($0.position.line), "
            + "column \($0.position.column) closed with `\($0.isMapping ? "}" : "]")`"
        })
    }
    if !found { log.report("not readable as YAML", at: last) }
  }
}

/// A list or mapping whose end was not read yet.
private struct OpenCollection {
  let isMapping: Bool
  let isFlow: Bool
  let position: SourcePosition
  var elements: [DocumentNode] = []
  var entries: [DocumentEntry] = []
  var pendingKey: (String, SourcePosition)?
  var places: [String: SourcePosition] = [:]

  init(isMapping: Bool, isFlow: Bool, position: SourcePosition) {
    self.isMapping = isMapping
    self.isFlow = isFlow
    self.position = position
  }

  var node: DocumentNode {
    DocumentNode(content: isMapping ? .mapping(entries) : .sequence(elements), position: position)
  }
}
