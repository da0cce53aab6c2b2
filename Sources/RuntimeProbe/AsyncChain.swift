@_spi(Internal) internal import Runtime

/// In which chain of async functions a task waits, as people read it: innermost first.
package struct AsyncChain: Sendable, Hashable, CustomStringConvertible {
  /// One function; the runtime's own plumbing left out.
  package struct Link: Sendable, Hashable, CustomStringConvertible {
    /// E.g. `AsyncStream.Iterator.next()` or `closure #1 in Feed.start()`.
    package var function: String
    /// Whether it is of the standard library or the runtime.
    package var isLibrary: Bool
    /// `Module/File.swift:line` of where it goes on; `nil` without debug information, and for the library.
    package var place: String?

    package var description: String { place.map { "\(function) (\($0))" } ?? function }
  }

  package var links: [Link]

  /// `a ← b ← c`: a is what it waits in, c the task's own body.
  package var description: String { links.map(\.description).joined(separator: " ← ") }
}

/// Names chains, each function once. For the report: the first one costs milliseconds.
package struct AsyncChains {
  private let images = ImageMap.capture()
  private var known: [UInt64: AsyncChain.Link?] = [:]

  package init() {}

  /// The chain of a task of which `Probe.readChain` has read the addresses; `nil` where there is nothing to name.
  package mutating func chain(of task: LiveTask) -> AsyncChain? {
    var links: [AsyncChain.Link] = []
    for address in task.chainAddresses {
      guard let link = link(at: address) else { continue }
      // A function that the compiler split is met twice.
      if links.last?.function != link.function { links.append(link) }
    }
    return links.isEmpty ? nil : AsyncChain(links: links)
  }

  private mutating func link(at address: UInt64) -> AsyncChain.Link? {
    if let link = known[address] { return link }
    let frames = [RichFrame<UInt64>.programCounter(address)]
    let backtrace = Backtrace(architecture: "x86_64", frames: frames, images: images)
    let symbols = backtrace.symbolicated(with: images)?.frames.compactMap(\.symbol) ?? []
    // Functions inlined here come first; the one that the compiler split is last.
    let link = symbols.last.flatMap(Self.link)
    known[address] = .some(link)
    return link
  }

  private static func link(_ symbol: SymbolicatedBacktrace.Symbol) -> AsyncChain.Link? {
    if symbol.isSwiftThunk || isPlumbing(symbol) { return nil }
    let isLibrary = CreationPlaces.isLibrary(symbol.rawName)
    let location = symbol.sourceLocation.flatMap { !isLibrary && $0.line > 0 ? $0 : nil }
    return AsyncChain.Link(
      function: cleaned(symbol.name), isLibrary: isLibrary,
      place: location.map { "\(CreationPlaces.shortPath($0.path)):\($0.line)" })
  }

  /// The C++ side of the runtime, and what the compiler puts between two functions.
  private static func isPlumbing(_ symbol: SymbolicatedBacktrace.Symbol) -> Bool {
    !symbol.rawName.hasPrefix("$s") || thunks.contains { cleaned(symbol.name).hasPrefix($0) }
  }

  private static let thunks = [
    "partial apply for", "thunk for", "dispatch thunk of", "protocol witness for",
  ]

  /// Without what the compiler says of the part of a function that is left to run.
  static func cleaned(_ name: String) -> String {
    var name = name[...]
    for _ in 0..<4 {
      if name.first == "(", let end = name.firstRange(of: " partial function for ") {
        name = name[end.upperBound...]
      }
      if name.hasPrefix("specialized ") { name.removeFirst("specialized ".count) }
    }
    return String(name)
  }
}
