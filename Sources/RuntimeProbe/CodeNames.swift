@_spi(Internal) internal import Runtime

/// Names the functions behind addresses of code, each once. The first one costs milliseconds.
package struct CodeNames {
  private let images: ImageMap?
  private var known: [UInt64: String?] = [:]

  /// Of the process whose `/proc/PID/maps` this is; it may be gone by now.
  package init(maps: String) {
    images = ImageMap(compactImageMapData: RecordedImages(maps: maps).compact)
  }

  /// Of this process.
  package init() { images = ImageMap.capture() }

  /// The function that somebody wrote around the address, without what the compiler says of the part of it; `nil` for
  /// code without a name and for the runtime's and the compiler's own.
  package mutating func name(of address: UInt64) -> String? {
    guard address != 0, let images else { return nil }
    if let name = known[address] { return name }
    let frames = [RichFrame<UInt64>.programCounter(address)]
    let backtrace = Backtrace(architecture: "x86_64", frames: frames, images: images)
    let symbol = backtrace.symbolicated(with: images)?.frames.compactMap(\.symbol).last
    let name = symbol.flatMap(Self.name)
    known[address] = .some(name)
    return name
  }

  private static func name(_ symbol: SymbolicatedBacktrace.Symbol) -> String? {
    guard symbol.rawName.hasPrefix("$s") else { return nil }
    var name = AsyncChains.cleaned(symbol.name)
    // A closure that was given what it captures is still that closure.
    for prefix in ["partial apply forwarder for ", "partial apply for "] where name.hasPrefix(prefix) {
      name = AsyncChains.cleaned(String(name.dropFirst(prefix.count)))
    }
    let isThunk = ["reabstraction thunk", "thunk for", "dispatch thunk of", "protocol witness for"]
      .contains { name.hasPrefix($0) }
    return isThunk ? nil : name
  }
}
