public import LiveFeeds

/// A hand-written walk with one slip in it. Sound: ``PagedResults``.
public struct CarelessPages<Row: Sendable>: AsyncSequence, Sendable {
  /// What the walk gets wrong.
  public enum Slip: Sendable {
    /// A page without a readable row is taken for the end; all pages behind it are lost.
    case endsAtUnreadablePage
    /// The end is looked for before the page is handed on: the last page, be it the only one, is lost.
    case losesLastPage
    /// "Nothing came" is taken for "not yet": an empty result is asked for again and again.
    case asksAgainWhenEmpty
    /// A token is followed though it was followed before.
    case followsRepeatedToken
    /// A page that does not come is taken for the end.
    case takesFailureForEnd
    /// Cancellation is left to the source; one that does not look at it is asked on to the end.
    case leavesCancelToSource
  }

  private let request: PageRequest<Row>
  private let slip: Slip

  /// A walk that is sound but for the slip.
  public init(_ request: PageRequest<Row>, slip: Slip) {
    self.request = request
    self.slip = slip
  }

  /// Asks page by page.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let request: PageRequest<Row>
    fileprivate let slip: Slip
    fileprivate var position: PagePosition?

    /// The next page, as the slip lets it.
    public mutating func next() async throws -> Page<Row>? {
      guard let here = position else { return nil }
      if slip != .leavesCancelToSource { try Task.checkCancellation() }
      guard let raw = try await page(at: here) else { return nil }
      position = follow(raw, from: here)
      let page = Page(raw, number: here.pagesRead + 1, decode: request.decode)
      switch slip {
      case .endsAtUnreadablePage where page.rows.isEmpty, .losesLastPage where raw.next == nil:
        position = nil
        return nil
      default: return page
      }
    }

    private mutating func page(at here: PagePosition) async throws -> RawPage? {
      do {
        return try await request.source.page(at: here.token)
      } catch is CancellationError {
        throw CancellationError()
      } catch  where slip == .takesFailureForEnd {
        position = nil
        return nil
      } catch {
        position = nil
        throw PageError.failed(page: here.pagesRead + 1, position: here, cause: error)
      }
    }

    private func follow(_ raw: RawPage, from here: PagePosition) -> PagePosition? {
      guard let token = raw.next else {
        return slip == .asksAgainWhenEmpty && raw.rows.isEmpty ? here : nil
      }
      if let next = here.following(token) { return next }
      guard slip == .followsRepeatedToken else { return nil }
      var again = here
      again.token = token
      again.pagesRead += 1
      return again
    }
  }

  /// Begins where the request says.
  public func makeAsyncIterator() -> Iterator {
    Iterator(request: request, slip: slip, position: request.start)
  }
}
