internal import SeededDraws
internal import WorkloadInterface

/// Reads the script of one provider; what is not given comes from its default script.
struct ProviderReader {
  let log: DiagnosticLog
  let provider: ProviderDeclaration
  private var values: ValueReader { ValueReader(log: log) }
  private var distributions: DistributionReader { DistributionReader(log: log) }

  init(log: DiagnosticLog, provider: ProviderDeclaration) {
    self.log = log
    self.provider = provider
  }

  static let keys = [
    "latency", "cpu", "failures", "capacity", "queue-limit", "ignores-cancellation", "values",
  ]
  static let streamingKeys = ["first-token", "between-tokens", "tokens"]

  /// The whole script; nil when any of it is at fault.
  func read(_ node: DocumentNode) -> ProviderScript? {
    let faults = log.diagnostics.count
    guard
      let mapping = MappingReader(
        node, "provider `\(provider.name)`", keys: Self.keys + Self.streamingKeys,
        elsewhere: [
          "stalls": "within `latency`, beside its kind: { constant: 20ms, stalls: [{ at: 10s, for: 1s }] }"
        ],
        log: log)
    else { return nil }
    if !provider.isStreaming {
      mapping.refuse(
        Self.streamingKeys, because: "has no meaning: provider `\(provider.name)` answers with one element")
    }
    var script = provider.defaultScript
    if let node = mapping["latency"] { latency(node, mapping, into: &script) }
    script.firstToken = distribution(mapping, "first-token") ?? script.firstToken
    script.betweenTokens = distribution(mapping, "between-tokens") ?? script.betweenTokens
    script.cpu = distribution(mapping, "cpu") ?? script.cpu
    script.tokens = count(mapping, "tokens", from: 1) ?? script.tokens
    script.capacity = count(mapping, "capacity", from: 1) ?? script.capacity
    script.queueLimit = count(mapping, "queue-limit", from: 0) ?? script.queueLimit
    if script.capacity == nil, mapping["queue-limit"] != nil {
      log.report(
        "`queue-limit` has no meaning without `capacity`", at: mapping.position(of: "queue-limit"),
        text: "queue-limit")
    }
    if let node = mapping["ignores-cancellation"] {
      script.ignoresCancellation = values.boolean(node, "ignores-cancellation") ?? false
    }
    if let node = mapping["failures"] {
      script.failures = values.list(node, "failures")?.compactMap(failure) ?? []
      checkTokens(of: script, node)
    }
    if let node = mapping["values"] {
      script.values = values.list(node, "values")?.compactMap { values.text($0, "values") } ?? []
    }
    return log.diagnostics.count == faults ? script : nil
  }

  private func distribution(_ mapping: MappingReader, _ key: String) -> Distribution? {
    mapping[key].flatMap { distributions.read($0, key) }
  }

  private func count(_ mapping: MappingReader, _ key: String, from least: Int) -> Int? {
    mapping[key].flatMap { values.integer($0, key, in: least...Int(Int32.max)) }
  }

  private func latency(_ node: DocumentNode, _ mapping: MappingReader, into script: inout ProviderScript) {
    guard case .mapping(let entries) = node.content, let stalls = entries.first(where: { $0.key == "stalls" })
    else {
      script.latency = distributions.read(node, "latency") ?? script.latency
      takeForFirst(mapping, &script)
      return
    }
    // Stalls alone leave the default latency as it is.
    if entries.count > 1 {
      script.latency = distributions.read(node, "latency", extra: ["stalls"]) ?? script.latency
      takeForFirst(mapping, &script)
    }
    script.stalls = values.list(stalls.value, "stalls")?.compactMap(stall) ?? []
  }

  /// The latency of a stream is that of its first element, where nothing else is said of that.
  private func takeForFirst(_ mapping: MappingReader, _ script: inout ProviderScript) {
    if provider.isStreaming, mapping["first-token"] == nil { script.firstToken = nil }
  }

  private func stall(_ node: DocumentNode) -> StallWindow? {
    let form = "{ at: 10s, for: 1.4s }"
    guard let mapping = MappingReader(node, "a stall", keys: ["at", "for"], log: log) else { return nil }
    let at = mapping.require("at", form).flatMap { values.duration($0, "at") }
    let length = mapping.require("for", form).flatMap { values.duration($0, "for", atLeast: 1) }
    guard let at, let length else { return nil }
    return StallWindow(at: at, duration: length)
  }

  /// A stream cannot break after more tokens than it has.
  private func checkTokens(of script: ProviderScript, _ node: DocumentNode) {
    guard let tokens = script.tokens, let late = script.failures.compactMap(\.afterTokens).max(),
      late > tokens
    else { return }
    log.report(
      "`after-tokens` is \(late), and the stream has \(tokens)", at: node, allowed: "at most `tokens`")
  }

  private static let selectors = ["share", "calls", "every", "from"]

  private func failure(_ node: DocumentNode) -> FailureScript? {
    let keys = ["kind"] + Self.selectors + ["to", "after", "after-tokens"]
    guard let mapping = MappingReader(node, "a failure", keys: keys, log: log) else { return nil }
    let kinds = FailureScript.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    let kind = mapping.require("kind", kinds).flatMap { values.choice($0, "kind", FailureScript.Kind.self) }
    let selector = selector(mapping)
    let after = mapping["after"].flatMap { values.duration($0, "after") }
    let afterTokens = count(mapping, "after-tokens", from: 0)
    guard let kind else { return nil }
    if kind == .midStream, !provider.isStreaming, let node = mapping["kind"] {
      log.report(
        "`mid-stream` has no meaning: provider `\(provider.name)` answers with one element", at: node,
        allowed: kinds)
    }
    if kind != .midStream {
      mapping.refuse(["after-tokens"], because: "belongs to failures of kind mid-stream")
    }
    guard let selector else { return nil }
    return FailureScript(kind: kind, selector: selector, after: after, afterTokens: afterTokens)
  }

  private func selector(_ mapping: MappingReader) -> FailureScript.Selector? {
    let form = "one of `share: 1%`, `calls: [3, 5]`, `every: 10`, `from: 5s` with `to: 8s`"
    let given = Self.selectors.filter { mapping[$0] != nil }
    guard let first = given.first else {
      let at = mapping["to"] == nil ? mapping.node.position : mapping.position(of: "to")
      log.report("the failure does not say which calls fail", at: at, allowed: form)
      return nil
    }
    guard given.count == 1 else {
      log.report(
        "the failure says twice which calls fail, by `\(first)` and `\(given[1])`",
        at: mapping.position(of: given[1]), text: given[1], allowed: form)
      return nil
    }
    if first != "from" { mapping.refuse(["to"], because: "belongs to `from`") }
    guard let node = mapping[first] else { return nil }
    switch first {
    case "share": return values.share(node, first).map(FailureScript.Selector.share)
    case "every":
      return values.integer(node, first, in: 1...Int(Int32.max)).map(FailureScript.Selector.every)
    case "calls":
      guard let elements = values.list(node, first, mayBeEmpty: false) else { return nil }
      let calls = elements.compactMap { values.integer($0, first, in: 1...Int(Int32.max)) }
      return calls.count == elements.count ? .calls(calls) : nil
    default: return window(from: node, mapping)
    }
  }

  private func window(from node: DocumentNode, _ mapping: MappingReader) -> FailureScript.Selector? {
    let from = values.duration(node, "from")
    guard let end = mapping.require("to", "`from: 5s` with `to: 8s`") else { return nil }
    guard let from, let to = values.duration(end, "to") else { return nil }
    guard to > from else {
      log.report("`to` is not after `from`", at: end, allowed: "more than \(FigureText.duration(from))")
      return nil
    }
    return .window(from: from, to: to)
  }
}
