/// Where a page is, as the source calls it.
public struct PageToken: Sendable, Hashable {
  /// The source's own text.
  public let text: String
  /// Wraps the source's text.
  public init(_ text: String) { self.text = text }
}

/// A page as it comes from the source, its rows unread.
public struct RawPage: Sendable, Hashable {
  /// One text for each row.
  public var rows: [String]
  /// Where the next page is; nil for the last.
  public var next: PageToken?

  /// Makes a page.
  public init(rows: [String], next: PageToken?) {
    self.rows = rows
    self.next = next
  }
}

/// What answers with pages.
public protocol PageSource: Sendable {
  /// The page at this token; the first for nil.
  ///
  /// - Throws: what keeps the page from coming, `CancellationError` among it.
  func page(at token: PageToken?) async throws -> RawPage
}

/// A page whose rows were read.
public struct Page<Row: Sendable>: Sendable {
  /// Its number in this walk, from 1.
  public let number: Int
  /// The rows that could be read.
  public let rows: [Row]
  /// How many could not.
  public let skipped: Int
  /// Where the next page is; nil for the last.
  public let next: PageToken?

  /// Makes a page.
  public init(number: Int, rows: [Row], skipped: Int, next: PageToken?) {
    self.number = number
    self.rows = rows
    self.skipped = skipped
    self.next = next
  }

  /// Reads a raw page.
  public init(_ raw: RawPage, number: Int, decode: (String) -> Row?) {
    let rows = raw.rows.compactMap(decode)
    self.init(number: number, rows: rows, skipped: raw.rows.count - rows.count, next: raw.next)
  }
}

/// From where a walk that was broken off goes on.
public struct PagePosition: Sendable, Hashable {
  /// The page to be asked for next; nil for the first.
  public var token: PageToken?
  /// Pages that came before it.
  public var pagesRead: Int
  /// All tokens that were followed.
  public var followed: Set<PageToken>

  /// The beginning.
  public init() {
    token = nil
    pagesRead = 0
    followed = []
  }
}

/// Why a walk ended before the last page.
public enum PageError: Error, Sendable, CustomStringConvertible {
  /// A page names a page that was already read as its next one.
  case tokenRepeated(page: Int)
  /// A page did not come; a walk from the position asks for it again.
  case failed(page: Int, position: PagePosition, cause: any Error)

  /// A stable name of the fault.
  public var code: String {
    switch self {
    case .tokenRepeated: "pages.token-repeated"
    case .failed: "pages.failed"
    }
  }

  /// What happened, in a sentence.
  public var description: String {
    switch self {
    case .tokenRepeated(let page):
      "token repeated at page \(page): its next page was read already, so the walk would never end"
    case .failed(let page, _, let cause): "page \(page) did not come: \(cause)"
    }
  }
}
