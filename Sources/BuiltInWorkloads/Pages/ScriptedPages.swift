internal import LiveFeeds
internal import ProviderScripts

/// A source of pages that come as scripted.
struct ScriptedPages: PageSource {
  /// What a source says that was asked far more often than it has pages.
  struct Exhausted: Error {}

  let caller: ScriptedCaller
  let behaviour: PagesBehaviour
  let observation: PageObservation

  func page(at token: PageToken?) async throws -> RawPage {
    let page = token.flatMap { Int($0.text) } ?? 0
    let (attempt, all) = observation.asked(page)
    guard all <= 4 * behaviour.pages + 8 else { throw Exhausted() }
    _ = try await caller.call(slot: page, attempt: attempt)
    let isReadable = page + 1 != behaviour.unreadablePage
    let rows = (0..<behaviour.rows).map { isReadable ? "row \(page * behaviour.rows + $0)" : "?" }
    observation.answered(
      page, readable: isReadable ? rows.count : 0, unreadable: isReadable ? 0 : rows.count)
    let next = page + 1 == behaviour.repeatedTokenAt ? page : page + 1
    return RawPage(rows: rows, next: next < behaviour.pages ? PageToken(String(next)) : nil)
  }

  /// The number of a row; nil for one that cannot be read.
  static func decode(_ row: String) -> Int? { row.hasPrefix("row ") ? Int(row.dropFirst(4)) : nil }
}

/// A text that comes in chunks, each by a call of the provider.
struct ScriptedChunks: AsyncSequence, Sendable {
  let caller: ScriptedCaller
  let bytes: [UInt8]
  let size: Int

  struct Iterator: AsyncIteratorProtocol {
    let chunks: ScriptedChunks
    var number = 0

    mutating func next() async throws -> [UInt8]? {
      let start = number * chunks.size
      guard start < chunks.bytes.count else { return nil }
      _ = try await chunks.caller.call(slot: number)
      number += 1
      return Array(chunks.bytes[start..<Swift.min(start + chunks.size, chunks.bytes.count)])
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }
}
