@_spi(Internal) internal import Runtime

/// Names the functions behind addresses of code, each once. The first one costs milliseconds.
package struct CodeNames {
  private let images: ImageMap?
  private var known: [UInt64: FunctionName?] = [:]

  private let between: [String]

  /// Of the process whose `/proc/PID/maps` this is; it may be gone by now.
  ///
  /// - Parameter between: Modules whose functions stand between the library's and the program's.
  package init(maps: String, between modules: [String] = []) {
    between = modules.map { "$s\($0.utf8.count)\($0)" }
    images = ImageMap(compactImageMapData: RecordedImages(maps: maps).compact)
  }

  /// Of this process.
  package init() {
    between = []
    images = ImageMap.capture()
  }

  /// The function around an address, without what the compiler says of the part of it; `nil` for code without a name
  /// and for the C++ side of the runtime.
  package mutating func name(of address: UInt64) -> FunctionName? {
    guard address != 0, let images else { return nil }
    if let name = known[address] { return name }
    let frames = [RichFrame<UInt64>.programCounter(address)]
    let backtrace = Backtrace(architecture: "x86_64", frames: frames, images: images)
    let symbol = backtrace.symbolicated(with: images)?.frames.compactMap(\.symbol).last
    var name = symbol.flatMap { FunctionName(mangled: $0.rawName, name: $0.name) }
    if let symbol, between.contains(where: symbol.rawName.hasPrefix) { name?.weight = .between }
    known[address] = .some(name)
    return name
  }
}

/// The name of a function of somebody's or of the standard library's.
package struct FunctionName: Sendable, Hashable {
  package var text: String
  /// How much it says of the program.
  package var weight: Weight

  /// Whose function it is.
  package enum Weight: Sendable, Hashable {
    /// The standard library's or the runtime's.
    case library
    /// Of a module that stands between the library and the program.
    case between
    case program
  }

  /// Makes a name.
  package init(_ text: String, _ weight: Weight = .program) {
    self.text = text
    self.weight = weight
  }

  /// Of a symbol; `nil` where it is none of Swift's, or a piece between two functions that says of neither.
  init?(mangled: String, name: String) {
    guard mangled.hasPrefix("$s") else { return nil }
    var name = AsyncChains.cleaned(name)
    // A closure that was given what it captures is still that closure; a requirement's witness stands for the function.
    for prefix in ["partial apply forwarder for ", "partial apply for ", "protocol witness for "]
    where name.hasPrefix(prefix) {
      name = AsyncChains.cleaned(String(name.dropFirst(prefix.count)))
    }
    if let conformance = name.firstRange(of: " in conformance ") {
      name = String(name[..<conformance.lowerBound])
    }
    let isThunk = ["reabstraction thunk", "thunk for", "dispatch thunk of"].contains { name.hasPrefix($0) }
    if isThunk || name.isEmpty { return nil }
    self.init(name, CreationPlaces.isLibrary(mangled) ? .library : .program)
  }
}
