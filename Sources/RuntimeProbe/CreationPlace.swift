@_spi(Internal) internal import Runtime

/// Where in the source a task was made.
package struct CreationPlace: Sendable, Hashable, CustomStringConvertible {
  /// The function without its arguments' types, e.g. `ProseStage.makeAsyncIterator()`.
  package var function: String
  /// `Module/File.swift`; `nil` without debug information.
  package var file: String?
  package var line: Int?

  /// `function (Module/File.swift:line)`, or the function alone.
  package var description: String {
    guard let file, let line else { return function }
    return "\(function) (\(file):\(line))"
  }
}

/// Names the places behind return addresses, each once. For the report: the first one costs milliseconds.
package struct CreationPlaces {
  private let images: ImageMap
  private var known: [[UInt64]: CreationPlace] = [:]

  /// Of this process.
  package init() { images = ImageMap.capture() }

  /// Of another process, which may be gone by now.
  init(images: ImageMap) { self.images = images }

  /// The innermost function that somebody wrote among `addresses`; `nil` if none of them has a name.
  /// `Task.init` and what else the compiler or the standard library made is passed over.
  package mutating func place(of addresses: [UInt64]) -> CreationPlace? {
    if let place = known[addresses] { return place }
    let frames = addresses.map { RichFrame<UInt64>.returnAddress($0) }
    let backtrace = Backtrace(architecture: "x86_64", frames: frames, images: images)
    let symbols = backtrace.symbolicated(with: images)?.frames.compactMap(\.symbol) ?? []
    let place = Self.place(in: symbols)
    if let place { known[addresses] = place }
    return place
  }

  /// The functions that somebody wrote among `addresses`, innermost first, each once in a row: a stack for people.
  package func stack(of addresses: [UInt64]) -> [CreationPlace] {
    var places: [CreationPlace] = []
    let frames = addresses.enumerated().map { index, address -> RichFrame<UInt64> in
      index == 0 ? .programCounter(address) : .returnAddress(address)
    }
    let backtrace = Backtrace(architecture: "x86_64", frames: frames, images: images)
    for symbol in backtrace.symbolicated(with: images)?.frames.compactMap(\.symbol) ?? [] {
      guard Self.isWritten(symbol), !Self.isLibrary(symbol.rawName) else { continue }
      let location = symbol.sourceLocation
      let place = CreationPlace(
        function: Self.shortened(symbol.name), file: location.map { Self.shortPath($0.path) },
        line: location?.line)
      if places.last != place { places.append(place) }
    }
    return places
  }

  /// The same for a task of the ledger.
  package mutating func place(of task: LiveTask) -> CreationPlace? {
    place(of: task.creationAddresses)
  }

  /// Whether the task is the one in which an async `main` runs: its code calls the runtime itself.
  package mutating func isMain(_ task: LiveTask) -> Bool {
    guard task.parentID == 0, let address = task.creationAddresses.first else { return false }
    let frame = RichFrame<UInt64>.returnAddress(address)
    let backtrace = Backtrace(architecture: "x86_64", frames: [frame], images: images)
    guard let name = backtrace.symbolicated(with: images)?.frames.first?.symbol?.rawName else { return false }
    // SwiftPM calls it MODULE_main in debug builds.
    return name == "main" || name.hasSuffix("_main") && !name.hasPrefix("$")
  }

  // MARK: Which frame

  /// The first line that somebody wrote, and the first function from there on that is not the library's.
  private static func place(in symbols: [SymbolicatedBacktrace.Symbol]) -> CreationPlace? {
    guard let start = symbols.firstIndex(where: isWritten),
      let function = symbols[start...].first(where: { !isLibrary($0.rawName) })
    else { return nil }
    let location = symbols[start].sourceLocation
    return CreationPlace(
      function: shortened(function.name), file: location.map { shortPath($0.path) }, line: location?.line)
  }

  private static func isWritten(_ symbol: SymbolicatedBacktrace.Symbol) -> Bool {
    if symbol.isSwiftThunk || symbol.isSwiftRuntimeFailure { return false }
    guard let path = symbol.sourceLocation?.path else { return !isLibrary(symbol.rawName) }
    return path.hasSuffix(".swift")
  }

  /// Whether a mangled name is of the runtime, the standard library, or one of the latter's functions compiled
  /// into the program: `$ss…` for the module, `$sS…` for its best known types, but not an extension of these by
  /// another module (`$sSa8MyModuleE…`), and `$s12_Concurrency…`.
  static func isLibrary(_ name: String) -> Bool {
    guard name.hasPrefix("$s") else { return true }
    if name.hasPrefix("$ss") || name.hasPrefix("$s12_Concurrency") { return true }
    guard name.hasPrefix("$sS") else { return false }
    let rest = name.dropFirst(3).drop { $0.isLetter }
    let digits = rest.prefix { $0.isNumber }
    guard let length = Int(digits), name.dropFirst(3).prefix(while: \.isLetter).count <= 2 else {
      return true
    }
    return rest.dropFirst(digits.count + length).first != "E"
  }

  // MARK: How it is written

  /// The last two components, `Sources` and `Tests` not counted.
  static func shortPath(_ path: String) -> String {
    path.split(separator: "/").filter { $0 != "Sources" && $0 != "Tests" }.suffix(2).joined(separator: "/")
  }

  /// Without what differs between optimised and plain builds.
  static func shortened(_ name: String) -> String {
    var name = name[...]
    while name.hasPrefix("specialized ") { name.removeFirst("specialized ".count) }
    return String(name)
  }
}
