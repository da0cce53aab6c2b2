import FlawedFeeds
import LiveFeeds
import Testing

@Suite("Paged results")
struct PagesTests {
  private func walk(_ source: HandPages, from start: PagePosition = PagePosition()) -> PagedResults<Int> {
    PagedResults(source: source, from: start) { Int($0) }
  }

  private func flawed(_ flaw: PageFlaw, _ source: HandPages) -> Pages<Int> {
    flaw.pageComponents(of: Int.self).walk(PageRequest(source: source) { Int($0) })
  }

  private func rows(_ pages: Pages<Int>) async throws -> [Int] {
    var rows: [Int] = []
    for try await page in pages { rows += page.rows }
    return rows
  }

  @Test("Each step fetches one page and no further")
  func oneByOne() async throws {
    let source = HandPages(pages: 4, rows: 3)
    var iterator = walk(source).makeAsyncIterator()
    #expect(source.asked.isEmpty)
    for number in 1...4 {
      #expect(try await iterator.next()?.number == number)
      #expect(source.asked.count == number)
    }
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
    #expect(source.asked == [0, 1, 2, 3])
  }

  @Test("Left by break after three of a hundred pages: three fetched; the pushed walk fetches all")
  func leaving() async throws {
    let source = HandPages(pages: 40, rows: 1)
    for try await page in walk(source) where page.number == 3 { break }
    #expect(source.asked.count == 3)
    let pushed = HandPages(pages: 40, rows: 1)
    for try await page in flawed(.producerRunsOn, pushed) where page.number == 3 { break }
    while pushed.asked.count < 40 { await Task.yield() }
  }

  @Test("A cancelled task fetches no page")
  func cancelled() async {
    let source = HandPages(pages: 3, rows: 1)
    let pages = walk(source)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await pages.all().count
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(source.asked.isEmpty)
  }

  @Test("An unreadable page counts as skipped and the walk goes on; the flawed one ends there")
  func unreadable() async throws {
    func pages() -> HandPages {
      HandPages(
        (0..<5).map { page in
          RawPage(
            rows: [String](repeating: page == 2 ? "?" : "7", count: 20),
            next: page < 4 ? HandPages.token(page + 1) : nil)
        })
    }
    let source = pages()
    let all = try await walk(source).all()
    #expect(all.reduce(0) { $0 + $1.rows.count } == 80)
    #expect(all.reduce(0) { $0 + $1.skipped } == 20)
    #expect(source.asked.count == 5)
    #expect(try await rows(flawed(.unreadablePageEndsWalk, pages())).count == 40)
  }

  @Test("A single page, and no rows at all; the flawed walks lose the one and ask on for the other")
  func single() async throws {
    #expect(try await rows(walk(HandPages(pages: 1, rows: 3))) == [0, 1, 2])
    #expect(try await rows(flawed(.lastPageLost, HandPages(pages: 1, rows: 3))).isEmpty)
    let empty = HandPages(pages: 1, rows: 0)
    #expect(try await rows(walk(empty)).isEmpty)
    #expect(empty.asked == [0])
    let again = HandPages(pages: 1, rows: 0)
    await #expect(throws: PageError.self) { try await rows(flawed(.emptyResultAskedAgain, again)) }
    #expect(again.asked.count > 50)
  }

  @Test("A token that comes again ends the walk with an error, behind its rows")
  func repeated() async throws {
    let pages = [
      RawPage(rows: ["1"], next: HandPages.token(1)), RawPage(rows: ["2"], next: HandPages.token(1)),
    ]
    let source = HandPages(pages)
    var iterator = walk(source).makeAsyncIterator()
    #expect(try await iterator.next()?.rows == [1])
    #expect(try await iterator.next()?.rows == [2])
    let error = await #expect(throws: PageError.self) { try await iterator.next() }
    #expect(error?.code == "pages.token-repeated")
    #expect(error?.description.hasPrefix("token repeated at page 2") == true)
    #expect(try await iterator.next() == nil)
    #expect(source.asked == [0, 1])
    // Longer rounds, too.
    let round = HandPages([
      RawPage(rows: [], next: HandPages.token(1)), RawPage(rows: [], next: HandPages.token(2)),
      RawPage(rows: [], next: HandPages.token(1)),
    ])
    await #expect(throws: PageError.self) { try await walk(round).all() }
    #expect(round.asked == [0, 1, 2])
  }

  @Test("A failure at any page is resumed there: every row once", arguments: 0..<5)
  func resumed(failing page: Int) async throws {
    let source = HandPages(pages: 5, rows: 2, failingOnce: [page])
    var (position, found) = (PagePosition(), [Int]())
    while true {
      do {
        for try await page in walk(source, from: position) { found += page.rows }
        break
      } catch PageError.failed(let number, let failed, _) {
        #expect(number == page + 1)
        position = failed
      }
    }
    #expect(found == Array(0..<10))
    #expect(source.asked.count == 6)
  }

  @Test("Rows: filter, map and prefix fetch the pages they need and no more")
  func transforms() async throws {
    func rows(_ source: HandPages) -> PagedRows<PagedResults<Int>, Int> { PagedRows(walk(source)) }
    let filtered = HandPages(pages: 3, rows: 4)
    #expect(
      try await rows(filtered).filter { $0 % 2 == 0 }.map { $0 * 10 }.all() == [0, 20, 40, 60, 80, 100])
    for (count, pages) in [(1, 1), (4, 1), (5, 2), (8, 2), (12, 3)] {
      let source = HandPages(pages: 3, rows: 4)
      #expect(try await rows(source).prefix(count).all().count == count)
      #expect(source.asked.count == pages)
    }
    let eager = HandPages(pages: 3, rows: 4)
    #expect(try await EagerPrefix(rows(eager), count: 4).all().count == 4)
    #expect(eager.asked.count == 2)
  }

  @Test("Batches of 1, 2, 3 and 4 over three elements: 3, 2, 1, 1; sizes below 1 are refused")
  func batches() async throws {
    for (size, expected) in [(1, [1, 1, 1]), (2, [2, 1]), (3, [3]), (4, [3])] {
      let rows = PagedRows(walk(HandPages(pages: 1, rows: 3)))
      #expect(try await Batches(rows, size: size)?.all().map(\.count) == expected)
    }
    for size in [0, -1] { #expect(Batches(walk(HandPages(pages: 1, rows: 3)), size: size) == nil) }
    let gathered = GatheringBatches(PagedRows(walk(HandPages(pages: 1, rows: 3))), size: 1)
    #expect(try await gathered.all().map(\.count) == [3])
  }
}
