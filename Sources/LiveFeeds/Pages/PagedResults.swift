/// Pages of a result, one after the other. Each step asks for one page and no further, in the consumer's own
/// task: who does not go on costs nothing, however the loop was left.
///
/// A page without a readable row is a page like any other. The walk ends behind the page that names no next
/// one, and with an error behind a page that names one that was read already.
public struct PagedResults<Row: Sendable>: AsyncSequence, Sendable {
  private let source: any PageSource
  private let start: PagePosition
  private let decode: @Sendable (String) -> Row?

  /// A walk from a position, the beginning by default. `decode` gives nil for a row that cannot be read.
  public init(
    source: any PageSource, from start: PagePosition = PagePosition(),
    decode: @escaping @Sendable (String) -> Row?
  ) {
    self.source = source
    self.start = start
    self.decode = decode
  }

  /// Asks page by page.
  public struct Iterator: AsyncIteratorProtocol {
    private enum State {
      case ahead(PagePosition)
      case turned(page: Int)
      case over
    }
    private let source: any PageSource
    private let decode: @Sendable (String) -> Row?
    private var state: State

    fileprivate init(
      source: any PageSource, decode: @escaping @Sendable (String) -> Row?, from start: PagePosition
    ) {
      self.source = source
      self.decode = decode
      state = .ahead(start)
    }

    /// The next page; nil behind the last one, and after an error.
    ///
    /// - Throws: `PageError`; `CancellationError` for a task that is cancelled before the page is asked for.
    public mutating func next() async throws -> Page<Row>? {
      defer { if Task.isCancelled { state = .over } }
      switch state {
      case .over: return nil
      case .turned(let page):
        state = .over
        throw PageError.tokenRepeated(page: page)
      case .ahead(let position):
        state = .over
        try Task.checkCancellation()
        return try await page(at: position)
      }
    }

    private mutating func page(at position: PagePosition) async throws -> Page<Row> {
      let number = position.pagesRead + 1
      let raw: RawPage
      do {
        raw = try await source.page(at: position.token)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        throw PageError.failed(page: number, position: position, cause: error)
      }
      if let token = raw.next {
        state = position.following(token).map(State.ahead) ?? .turned(page: number)
      }
      return Page(raw, number: number, decode: decode)
    }
  }

  /// Begins at the start position.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source, decode: decode, from: start) }
}

extension PagePosition {
  /// The position behind the page at this one, which names `token` as the next; nil where that was followed
  /// before.
  public func following(_ token: PageToken) -> PagePosition? {
    var next = self
    next.pagesRead += 1
    next.token = token
    return next.followed.insert(token).inserted ? next : nil
  }
}
