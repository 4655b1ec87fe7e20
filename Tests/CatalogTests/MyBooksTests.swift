import CatalogDomain
import CatalogStore
import SeededNumbers
import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@Suite("one's own books")
struct MyBooksTests {
  private func titles(_ catalog: RunningCatalog, _ call: ListMyBooksRequest = .init()) async throws -> [String] {
    try await catalog.books.listMyBooks(call, TestUser.ada.options).books.map(\.title)
  }

  /// A book of each status, added in another order than that of the list.
  private func oneOfEach(_ catalog: RunningCatalog) async throws {
    try await catalog.lend(catalog.add("Borrowed"), .borrowed, to: .grace)
    try await catalog.lend(catalog.add("Requested"), .requested)
    try await catalog.add("Available")
    try await catalog.lend(catalog.add("Accepted"), .accepted, to: .grace)
    try await catalog.add("Also available")
    try await catalog.add("Another's", as: .grace)
  }

  @Test(
    "[CA-22] lists the caller's books with description, status and borrower: available, requested, accepted, borrowed")
  func order() async throws {
    try await RunningCatalog.with { catalog in
      try await oneOfEach(catalog)

      let mine = try await catalog.books.listMyBooks(ListMyBooksRequest(), TestUser.ada.options).books

      #expect(mine.map(\.title) == ["Available", "Also available", "Requested", "Accepted", "Borrowed"])
      #expect(mine.map(\.status) == [.available, .available, .requested, .accepted, .borrowed])
      #expect(mine.map(\.borrowerUsername) == ["", "", "", "grace.h", "grace.h"])
      #expect(mine.allSatisfy { $0.description == "A copy that was read once." })
      let borrowed = try #require(mine.last)
      let seenByOther = try await catalog.books.getBook(GetBookRequest(bookID: borrowed.bookID), TestUser.grace.options)
      #expect(seenByOther.borrowerID.isEmpty && seenByOther.borrowerUsername.isEmpty)
    }
  }

  @Test("[CA-22] lists those of one status alone when asked to")
  func filter() async throws {
    try await RunningCatalog.with { catalog in
      try await oneOfEach(catalog)
      #expect(try await titles(catalog, .init(status: .available)) == ["Available", "Also available"])
      #expect(try await titles(catalog, .init(status: .borrowed)) == ["Borrowed"])
      let unknown = try await refusal { try await titles(catalog, .init(status: .unrecognized(9))) }
      #expect(unknown.fieldReasons == ["ENUM_VALUE_UNKNOWN"])
    }
  }

  @Test("[C-5] pages of one's own books skip none and repeat none while others are added")
  func pages() async throws {
    try await RunningCatalog.with { catalog in
      for number in 0..<5 { try await catalog.add("Book \(number)") }
      try await catalog.lend(catalog.add("Lent"), .borrowed, to: .grace)
      var (seen, token, pages) = ([String](), "", 0)
      repeat {
        let page = try await catalog.books.listMyBooks(
          ListMyBooksRequest(pageSize: 2, pageToken: token), TestUser.ada.options)
        seen += page.books.map(\.title)
        token = page.nextPageToken
        pages += 1
        if pages < 4 { try await catalog.add("Late \(pages)") }
      } while !token.isEmpty && pages < 20
      #expect(Set(seen).count == seen.count)
      #expect(seen.filter { $0.hasPrefix("Book") } == (0..<5).map { "Book \($0)" } && seen.last == "Lent")

      let first = try await catalog.books.listMyBooks(ListMyBooksRequest(pageSize: 2), TestUser.ada.options)
      let another = try await refusal {
        try await catalog.books.listMyBooks(
          ListMyBooksRequest(pageSize: 2, pageToken: first.nextPageToken), TestUser.grace.options)
      }
      #expect(another.reason == "PAGE_TOKEN_INVALID")
    }
  }

  @Test("[CA-23] an edit changes what its mask names and nothing else, and is found by its new words")
  func edits() async throws {
    try await RunningCatalog.with { catalog in
      let made = try await catalog.add("Dune")
      catalog.clock.advance(by: .seconds(60))
      let new = Book(bookID: made.bookID, title: "Ignored", description: "Signed by the author", year: 1965)

      let changed = try await catalog.books.updateBook(
        UpdateBookRequest(book: new, updateMask: .init(paths: ["description", "year"])), TestUser.ada.options)

      var expected = made
      (expected.description, expected.year) = ("Signed by the author", 1965)
      (expected.etag, expected.updateTime) = (changed.etag, changed.updateTime)
      #expect(changed == expected && changed.etag != made.etag)
      #expect(changed.updateTime?.seconds == catalog.clock.now.wholeSeconds)
      let found = try await catalog.books.searchBooks(SearchBooksRequest(query: "signed dune"), TestUser.grace.options)
      #expect(found.books.map(\.bookID) == [made.bookID])
    }
  }

  @Test("[CA-23] refuses an empty description, the status, and everybody but the owner")
  func refusesEdits() async throws {
    try await RunningCatalog.with { catalog in
      let made = try await catalog.add("Dune")
      func status(_ book: Book, _ paths: [String], as someone: TestUser = .ada) async throws -> Status {
        try await refusal {
          try await catalog.books.updateBook(
            UpdateBookRequest(book: book, updateMask: .init(paths: paths)), someone.options)
        }
      }
      let empty = try await status(Book(bookID: made.bookID, description: " "), ["description"])
      #expect(empty.code == .invalidArgument && empty.message == "The description cannot be empty")
      #expect(empty.reason == "DESCRIPTION_REQUIRED" && empty.fields == ["book.description"])
      let immutable = try await status(
        Book(bookID: made.bookID, isbn: "9780439023481", status: .borrowed), ["status", "isbn", "borrower_id", "x"])
      #expect(
        immutable.fieldReasons == ["FIELD_IMMUTABLE", "FIELD_IMMUTABLE", "FIELD_IMMUTABLE", "FIELD_UNKNOWN"])
      let foreign = try await status(Book(bookID: made.bookID, title: "Mine"), ["title"], as: .grace)
      #expect(foreign.code == .permissionDenied && foreign.reason == "NOT_THE_OWNER")
      let unknown = try await status(Book(bookID: TestUser.ada.id.description, title: "X"), ["title"])
      #expect(unknown.code == .notFound && unknown.reason == "BOOK_NOT_FOUND")
      #expect(try await status(Book(title: "X"), ["title"]).reason == "BOOK_ID_INVALID")
      let read = try await catalog.books.getBook(GetBookRequest(bookID: made.bookID), TestUser.ada.options)
      #expect(read == made)
    }
  }

  @Test("[CA-23] [CA-21] a title that an edit changes is compared with the record like that of a new book")
  func editedTitle() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.know("9780441172719", ["Dune"], by: ["Frank Herbert"], year: 1965, language: "eng")
      let book = try await catalog.add("Dune")
      var edit = UpdateBookRequest(
        book: Book(bookID: book.bookID, title: "Twilight", description: "Bitten"),
        updateMask: .init(paths: ["title", "description"]))
      let refused = try await refusal { try await catalog.books.updateBook(edit, TestUser.ada.options) }
      #expect(refused.code == .failedPrecondition && refused.reason == "ISBN_TITLE_MISMATCH")
      #expect(refused.errorInfo?.metadata["title"] == "Dune")
      #expect(try await catalog.value("select description from books") == "A copy that was read once.")
      edit.updateMask = .init(paths: ["description"])
      #expect(try await catalog.books.updateBook(edit, TestUser.ada.options).title == "Dune")
    }
  }

  @Test("[C-5] pages of one's own books miss none and repeat none while their statuses move")
  func pagesWhileStatusesMove() async throws {
    try await RunningCatalog.with { catalog in
      var books: [Book] = []
      for number in 0..<60 { books.append(try await catalog.add("Book \(number)")) }
      let statuses = CatalogDomain.BookStatus.allCases
      for (number, book) in books.enumerated() {
        try await catalog.lend(book, statuses[number % 4], to: number % 4 < 2 ? nil : .grace)
      }
      var (chance, seen, token) = (SplitMix(seed: 20), [String](), "")
      repeat {
        let page = try await catalog.books.listMyBooks(
          ListMyBooksRequest(pageSize: 7, pageToken: token), TestUser.ada.options)
        seen += page.books.map(\.title)
        token = page.nextPageToken
        // A third of all books move between two pages, some of them to and fro.
        for _ in 0..<20 {
          let (book, status) = (books.randomElement(using: &chance), statuses.randomElement(using: &chance))
          guard let book, let status else { continue }
          try await catalog.lend(book, status, to: status == .accepted || status == .borrowed ? .grace : nil)
        }
      } while !token.isEmpty && seen.count < 200
      #expect(Set(seen).count == 60, "missed: \(Set((0..<60).map { "Book \($0)" }).subtracting(seen).sorted())")
      #expect(seen.count == Set(seen).count)
    }
  }

  @Test("[C-11] of 24 edits with one etag a single one takes effect, and the others are told")
  func etags() async throws {
    try await RunningCatalog.with { catalog in
      let made = try await catalog.add("Dune")

      let results = await catalog.race(24) { books, number in
        try await books.updateBook(
          UpdateBookRequest(book: Book(bookID: made.bookID, title: "Dune \(number)", etag: made.etag)),
          TestUser.ada.options)
      }

      #expect(results.successes().count == 1)
      #expect(results.refusals().count == 23 && results.refusals().allSatisfy { $0.code == .aborted })
      #expect(results.refusals().contains { $0.reason == "ETAG_MISMATCH" })
      #expect(try await catalog.value("select revision from books") == "2")
      #expect(try await catalog.value("select count(*) from events") == "2")
    }
  }

  @Test("[CA-24] a deleted book leaves every list, and only its owner deletes it")
  func deletes() async throws {
    try await RunningCatalog.with { catalog in
      let made = try await catalog.add("Dune")
      let call = DeleteBookRequest(bookID: made.bookID)
      let foreign = try await refusal { try await catalog.books.deleteBook(call, TestUser.grace.options) }
      #expect(foreign.code == .permissionDenied && foreign.reason == "NOT_THE_OWNER")
      var stale = call
      stale.etag = "0"
      let aborted = try await refusal { try await catalog.books.deleteBook(stale, TestUser.ada.options) }
      #expect(aborted.code == .aborted && aborted.reason == "ETAG_MISMATCH")

      _ = try await catalog.books.deleteBook(call, TestUser.ada.options)

      let again = try await refusal { try await catalog.books.deleteBook(call, TestUser.ada.options) }
      let gone = try await refusal {
        try await catalog.books.getBook(GetBookRequest(bookID: made.bookID), TestUser.ada.options)
      }
      #expect(again.reason == "BOOK_NOT_FOUND" && gone.code == .notFound)
      #expect(try await titles(catalog) == [])
      let found = try await catalog.books.searchBooks(SearchBooksRequest(query: "dune"), TestUser.ada.options)
      #expect(found.books.isEmpty)
      #expect(try await catalog.value("select books from users where username = 'ada'") == "0")
      let told = try await catalog.sql("select type from events order by id")
      #expect(told == [["tandem.events.v1.BookListed"], ["tandem.events.v1.BookDeleted"]])
    }
  }

  @Test(
    "[CA-24] a book that is not available is not deleted",
    arguments: [CatalogDomain.BookStatus.requested, .accepted, .borrowed])
  func refusesDeletion(status: CatalogDomain.BookStatus) async throws {
    try await RunningCatalog.with { catalog in
      let made = try await catalog.add("Dune")
      try await catalog.lend(made, status)
      let refused = try await refusal {
        try await catalog.books.deleteBook(DeleteBookRequest(bookID: made.bookID), TestUser.ada.options)
      }
      #expect(refused.code == .failedPrecondition && refused.reason == "BOOK_NOT_AVAILABLE")
      #expect(refused.message == "Deleting is not permitted until its status is available")
      #expect(try await titles(catalog) == ["Dune"])
    }
  }

  @Test("[CA-24] a deletion and a request that race end with one of the two, never both")
  func deletionRace() async throws {
    try await RunningCatalog.with { catalog in
      var outcomes: Set<String> = []
      for round in 0..<24 {
        let made = try await catalog.add("Dune \(round)")
        async let lending: Void = catalog.lend(made, .requested)
        async let deletion = catalog.race(4) { books, _ in
          try await books.deleteBook(DeleteBookRequest(bookID: made.bookID), TestUser.ada.options)
        }
        let deletions = await deletion
        let deleted = deletions.successes().count
        try await lending
        let row = try await catalog.sql("select status, deleted_at is null from books where id = '\(made.bookID)'")
        #expect(deleted <= 1)
        #expect(row == (deleted == 1 ? [["AVAILABLE", "f"]] : [["REQUESTED", "t"]]))
        outcomes.insert(deleted == 1 ? "deleted" : "requested")
      }
      #expect(!outcomes.isEmpty)
    }
  }

  @Test("[C-11] lists what was added, changed and deleted since a token, each book once and none skipped")
  func changes() async throws {
    try await RunningCatalog.with { catalog in
      func changes(_ since: String, _ size: Int32 = 0) async throws -> ListMyBookChangesResponse {
        try await catalog.books.listMyBookChanges(
          ListMyBookChangesRequest(since: since, pageSize: size), TestUser.ada.options)
      }
      let nothing = try await changes("")
      #expect(nothing.changes.isEmpty && !nothing.more && !nothing.nextSince.isEmpty)
      let (one, two) = (try await catalog.add("One"), try await catalog.add("Two"))
      try await catalog.add("Another's", as: .grace)
      let added = try await changes(nothing.nextSince)
      #expect(added.changes.compactMap(\.book?.title) == ["One", "Two"])

      let edit = Book(bookID: one.bookID, title: "One more")
      _ = try await catalog.books.updateBook(UpdateBookRequest(book: edit), TestUser.ada.options)
      _ = try await catalog.books.deleteBook(DeleteBookRequest(bookID: two.bookID), TestUser.ada.options)
      try await catalog.lend(one, .requested)

      let later = try await changes(added.nextSince, 1)
      let last = try await changes(later.nextSince, 1)
      #expect(later.more && later.changes.map(\.bookID) == [two.bookID])
      #expect(later.changes.first?.book == nil && later.changes.first?.deleteTime != nil)
      #expect(!last.more && last.changes.first?.book?.title == "One more")
      #expect(last.changes.first?.book?.status == .requested)
      #expect(try await changes(last.nextSince).changes.isEmpty)
      #expect(try await changes("").changes.count == 2)
    }
  }

  @Test("[C-11] who reads changes while 24 are made at once misses none")
  func concurrentChanges() async throws {
    try await RunningCatalog.with { catalog in
      async let writers = catalog.race(24) { _, number in try await catalog.add("Book \(number)") }
      var (seen, since) = (Set<String>(), "")
      let isComplete = try await eventually {
        let page = try await catalog.books.listMyBookChanges(
          ListMyBookChangesRequest(since: since, pageSize: 3), TestUser.ada.options)
        seen.formUnion(page.changes.map(\.bookID))
        since = page.nextSince
        return seen.count == 24
      }
      let written = Set(await writers.successes().map(\.bookID))
      #expect(isComplete && seen == written)
    }
  }

  @Test(
    "[C-11] a token that nobody was given is refused", arguments: ["x", "AAAAAAAAAAk", "________-__", "AAAAAAAAAAAA"])
  func badTokens(token: String) async throws {
    try await RunningCatalog.with { catalog in
      let status = try await refusal {
        try await catalog.books.listMyBookChanges(ListMyBookChangesRequest(since: token), TestUser.ada.options)
      }
      #expect(status.code == .invalidArgument && status.reason == "CHANGE_TOKEN_INVALID")
    }
  }
}
