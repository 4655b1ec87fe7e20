import CatalogDomain
import CatalogHandlers
import Postgres
import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

/// Searches that hang, because a test locks a table that only they read, beside calls that look rows up.
@Suite("searches that take long")
struct SlowSearchTests {
  /// A search may hang until the test lets it go on.
  private static let patient = ["--database-slow-time", "5m"]

  /// So many unknown words, each of which must be compared with all known ones.
  private static let misspelt = (0..<20).map { "hobitt\(["a", "b", "c", "d"][$0 % 4])\($0)" }.joined(separator: " ")

  @Test("[CA-25] twenty of them at once hold up nobody who looks at a book")
  func othersGoOn() async throws {
    try await RunningCatalog.with(Self.patient) { catalog in
      let book = try await catalog.add("The Hobbit", by: ["J.R.R. Tolkien"], isbn: "9780547928227")
      let answered = Gathered<Int>()
      let searches = try await catalog.own.transaction { tx in
        try await tx.execute(LockWords())
        let searches = (0..<20).map { number in
          Task {
            let refusal = await search(catalog)
            if refusal == nil { answered.add(number) }
            return refusal
          }
        }
        try await until("searches wait for the words") { try await tx.first(WordReaders()) ?? 0 >= 2 }
        let looks = await catalog.race(200) { books, _ in
          try await books.getBook(
            GetBookRequest(bookID: book.bookID), .token(TestUser.grace.id.description, timeout: .seconds(20)))
        }
        // All of these were answered while no search can be.
        #expect(looks.count { (try? $0.get().title) == "The Hobbit" } == 200 && answered.all.isEmpty)
        return searches
      }
      for search in searches {
        // On a busy machine some have waited longer for a connection than a search may, and are refused with that reason.
        let refusal = await search.value
        let reasons: [String?] = ["OVERLOADED", "DATABASE_SLOW", "TOO_MANY_SEARCHES"]
        #expect(
          refusal == nil || reasons.contains(refusal?.reason) || refusal?.code == .deadlineExceeded,
          "\(refusal as Any)")
      }
      #expect(await search(catalog) == nil)
    }
  }

  @Test(
    "[CA-25] S-1: of one user two searches run and fourteen wait, others are refused, and no other user's"
  )
  func turns() async throws {
    // Enough connections for both running searches on one event loop: a search that timed out waiting for one would end, and free its place.
    try await RunningCatalog.with(Self.patient + ["--database-slow-per-loop", "8"]) { catalog in
      try await catalog.add("The Hobbit", by: ["J.R.R. Tolkien"], isbn: "9780547928227")
      let refused = Gathered<String>()
      let (hers, his) = try await catalog.own.transaction { tx in
        try await tx.execute(LockWords())
        let hers = (0..<40).map { _ in
          Task {
            let refusal = await search(catalog)
            if let reason = refusal?.reason { refused.add(reason) }
            return refusal
          }
        }
        try await until("those that find no place are refused") {
          refused.all.filter { $0 == "TOO_MANY_SEARCHES" }.count >= 24
        }
        // Two of hers wait for the table, whatever else comes; his search is not refused for them.
        try await until("her searches run") { try await tx.first(WordReaders()) ?? 0 >= 2 }
        #expect(try await tx.first(WordReaders()) == 2)
        return (hers, Task { await search(catalog, as: .ada) })
      }
      #expect(await his.value?.reason != "TOO_MANY_SEARCHES")
      for search in hers { _ = await search.value }
      #expect(refused.all.count { $0 == "TOO_MANY_SEARCHES" } == 24, "\(refused.all)")
      #expect(await search(catalog) == nil, "every place was given back")
    }
  }

  @Test("[CA-25] S-1: a search that ends while it waits gives its place back")
  func cancelledTurns() async throws {
    let (turns, user) = (SearchTurns(), TestUser.ada.id)
    let gate = Gathered<Int>()
    let running = (0..<2).map { number in
      Task { try await turns.run(for: user) { try await until("the test is over") { gate.all.contains(number) } } }
    }
    let waiting = (0..<40).map { _ in Task { try await turns.run(for: user) {} } }
    for task in waiting { task.cancel() }
    for task in waiting { _ = await task.result }
    gate.add(0)
    gate.add(1)
    for task in running { _ = await task.result }
    for _ in 0..<20 { try await turns.run(for: user) {} }
  }

  /// The refusal of a search on a connection of its own, which may belong to any event loop of the service; `nil` if it succeeds.
  private func search(_ catalog: RunningCatalog, as user: TestUser = .grace) async -> Status? {
    let client = catalog.service.connected()
    let outcome: Status?
    do {
      _ = try await BooksClient(client).searchBooks(SearchBooksRequest(query: Self.misspelt), user.options)
      outcome = nil
    } catch {
      outcome = error as? Status ?? Status(.unknown, "\(error)")
    }
    await client.close()
    return outcome
  }
}

/// Locks the table of words, which blocks comparisons with them until the transaction ends.
private struct LockWords: Statement {
  typealias Row = Void
  static let sql = "lock table name_words in access exclusive mode"
}

/// How many statements wait for the words.
private struct WordReaders: SingleRowStatement {
  typealias Row = Int64
  // Databases that were copied from one template have tables of the same number.
  static let sql = """
    select count(*) from pg_locks
    where not granted and relation = 'name_words'::regclass
      and database = (select oid from pg_database where datname = current_database())
    """
}
