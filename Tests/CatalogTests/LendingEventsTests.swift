import CatalogConsumers
import CatalogDomain
import CatalogOperations
import CatalogStore
import Environment
import Identifiers
import Postgres
import ProtobufC
import TandemCatalog
import TandemEvents
import TestServices
import TestSupport
import Testing
import Timestamps

@testable import Events
@testable import catalog

@Suite("batches of lending's events", .timeLimit(.minutes(5)))
struct LendingEventsTests {
  @Test("[LE-15] of several statuses of a book the last one is stored, as one change of the book")
  func last() async throws {
    try await RunningCatalog.with { catalog in
      let id = try #require(BookID(try await catalog.add("Dune").bookID))
      let before = try await catalog.sql("select revision, change from books")
      let grace = "\(TestUser.grace.id)"
      try await catalog.store([
        BookAvailability(id, .requested, borrower: ""), BookAvailability(id, .accepted, borrower: grace),
        BookAvailability(id, .borrowed, borrower: grace),
      ])
      let shown = try await catalog.sql("select status, borrower_id from books")
      #expect(shown == [["BORROWED", grace]])
      let revision = try await catalog.sql("select revision - 1, change - 1 from books")
      #expect(revision == before)

      try await catalog.store([BookAvailability(id, .borrowed, borrower: grace)])
      #expect(try await catalog.sql("select revision - 1, change - 1 from books") == before, "nothing has changed")
      try await catalog.store([BookAvailability(id, .available, borrower: grace)])
      #expect(try await catalog.sql("select status, borrower_id from books") == [["AVAILABLE", nil]])
    }
  }

  @Test("[CA-29] a book on hold is marked, found by nobody, and found again once it is released, each as one change")
  func holds() async throws {
    try await RunningCatalog.with { catalog in
      let (dune, emma) = (try await catalog.add("Dune"), try await catalog.add("Emma"))
      let id = try #require(BookID(dune.bookID))
      func found(_ user: TestUser) async throws -> [String] {
        try await catalog.books.searchBooks(SearchBooksRequest(query: "herbert"), user.options).books.map(\.title)
          .sorted()
      }
      func hold(_ holds: [Bool]) async throws {
        try await catalog.inTransaction { tx in
          try await tx.holdUsers(ofBooks: [id], and: [])
          try await catalog.operations.storeHolds(holds.map { BookHold(id, isHeld: $0) }, tx)
        }
      }
      try await hold([false, true])
      #expect(try await found(.grace) == ["Emma"])
      let shown = try await catalog.books.getBook(GetBookRequest(bookID: dune.bookID), TestUser.ada.options)
      #expect(shown.onHold && shown.status == .available && shown.etag != dune.etag)
      let changes = try await catalog.sql("select revision, change from books where title = 'Dune'")
      try await hold([true])
      #expect(try await catalog.sql("select revision, change from books where title = 'Dune'") == changes)
      try await hold([true, false])
      #expect(try await found(.grace) == ["Dune", "Emma"])
      let refused = try await refusal {
        try await catalog.books.updateBook(
          UpdateBookRequest(book: Book(bookID: emma.bookID, onHold: true), updateMask: .init(paths: ["on_hold"])),
          TestUser.ada.options)
      }
      #expect(refused.code == .invalidArgument)
    }
  }

  @Test("[C-11] books of one user that change in one batch have numbers of their own, in the order of the events")
  func changes() async throws {
    try await RunningCatalog.with { catalog in
      var books: [BookID] = []
      for title in ["A", "B", "C"] {
        books.append(try #require(BookID(try await catalog.add(title).bookID)))
        books.append(try #require(BookID(try await catalog.add(title, as: .grace).bookID)))
      }
      try await catalog.store(books.reversed().map { BookAvailability($0, .requested, borrower: "") })
      let changed = try await catalog.sql(
        "select owner.username, book.title, book.change from books as book join users as owner on owner.id = book.owner_id order by 1, 3"
      )
      #expect(
        changed == [
          ["ada", "C", "4"], ["ada", "B", "5"], ["ada", "A", "6"], ["grace.h", "C", "4"], ["grace.h", "B", "5"],
          ["grace.h", "A", "6"],
        ])
      #expect(try await catalog.sql("select distinct changes from users where changes > 0") == [["6"]])
    }
  }

  @Test("[LE-15] events of unknown and deleted books change nothing, and the others of their batch take effect")
  func unknown() async throws {
    try await RunningCatalog.with { catalog in
      let (known, deleted) = (try await catalog.add("Dune"), try await catalog.add("Emma"))
      _ = try await catalog.books.deleteBook(DeleteBookRequest(bookID: deleted.bookID), TestUser.ada.options)
      let stranger = BookID(UUID7(high: 0x0190_0000_0000_7000, low: 0x9000_0000_0000_0009))
      try await catalog.store(
        try [stranger, #require(BookID(deleted.bookID)), #require(BookID(known.bookID))].map {
          BookAvailability($0, .requested, borrower: "")
        })
      let shown = try await catalog.sql("select title, status from books order by title")
      #expect(shown == [["Dune", "REQUESTED"], ["Emma", "AVAILABLE"]])
    }
  }

  @Test("[CA-28] of loans that are reported twice in one batch each is stored once")
  func twice() async throws {
    try await RunningCatalog.with { catalog in
      let id = try #require(BookID(try await catalog.add("Dune").bookID))
      let loans = (1...3).map { UUID7(high: 0x0190_0000_0000_7000, low: 0x9000_0000_0000_0000 | UInt64($0)) }
      let reported = (loans + loans).map { PastLoan($0, of: id, by: TestUser.grace.id, at: catalog.clock.now) }
      try await catalog.inTransaction { tx in
        let stored = try await tx.rows(InsertPastLoans(reported))
        #expect(Set(stored) == Set(loans) && stored.count == 3)
      }
    }
  }

  @Test("[LE-15] 64 batches that concern the same users in all orders wait for each other, and none deadlocks")
  func race() async throws {
    try await RunningCatalog.with { catalog in
      let people = (10..<22).map { TestUser($0, "person\($0)") }
      var books: [BookID] = []
      for one in people { books.append(try #require(BookID(try await catalog.add(one.name, as: one).bookID))) }
      try await withThrowingTaskGroup { group in
        for number in 0..<64 {
          // Of neighbours one begins where the other ends; the borrowers are the owners of other books.
          let order = number % 2 == 0 ? Array(books.indices) : books.indices.reversed()
          let borrowers = order.map { people[($0 + number) % people.count] }
          let statuses = zip(order, borrowers).map { BookAvailability(books[$0], .borrowed, borrower: "\($1.id)") }
          let loans = zip(order, borrowers).enumerated().map { place, loan in
            PastLoan(
              UUID7(high: 0x0190_0000_0000_7000, low: 0x9000_0000_0000_0000 | UInt64(number * 100 + place)),
              of: books[loan.0], by: loan.1.id, at: catalog.clock.now)
          }
          group.addTask {
            // Not repeated after a conflict: a deadlock fails the test.
            try await catalog.once { tx in
              if number % 4 < 2 {
                try await catalog.operations.tell(statuses, tx)
              } else {
                try await tx.rows(InsertPastLoans(loans))
              }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await catalog.value("select count(*) from past_loans") == "\(32 * people.count)")
      #expect(try await catalog.value("select count(*) from books where status = 'BORROWED'") == "\(people.count)")
      #expect(
        try await catalog.value("select count(*) from books join users on users.id = owner_id where change > changes")
          == "0")
    }
  }

  @Test(
    "[LE-10] [LE-15] B9: a new user's comment and loans of both are stored by two consumers at a time, and none deadlocks"
  )
  func newUsers() async throws {
    try await RunningCatalog.with { catalog in
      let books = [try await catalog.add("Dune").bookID, try await catalog.add("Emma").bookID]
      let operations = catalog.operations
      let environment = Environment(clock: catalog.clock, randomness: SystemRandomness())
      for round in 0..<40 {
        let (known, new) = (
          "\(TestUser(UInt64(100 + 2 * round), "").id)", "\(TestUser(UInt64(101 + 2 * round), "").id)"
        )
        try await catalog.sql("insert into users (id) values ('\(known)')")
        let loans = (0..<3).map {
          "\(UUID7(high: 0x0190_0000_0000_7000, low: 0x9000_0000_0000_0000 | UInt64(3 * round + $0)))"
        }
        try await withThrowingTaskGroup { group in
          group.addTask {
            try await catalog.apply(
              [
                ReturnCommented(bookID: books[0], loanID: loans[0], authorID: new, text: "Read."),
                BookStatusChanged(bookID: books[1], status: .accepted, loanID: loans[1], borrowerID: known),
              ], by: .loans(operations, environment))
          }
          group.addTask {
            let borrowed = zip([known, new], loans).map {
              BookStatusChanged(bookID: books[0], status: .borrowed, loanID: $1, borrowerID: $0)
            }
            try await catalog.apply(borrowed, by: .pastLoans(operations))
          }
          try await group.waitForAll()
        }
      }
      #expect(try await catalog.value("select count(*) from past_loans") == "80")
      #expect(try await catalog.value("select count(*) from comments") == "40")
    }
  }
}

extension RunningCatalog {
  /// Applies events in one transaction, as a consumer does that receives them together.
  fileprivate func apply(_ messages: [any PublishedEvent], by plan: EventSubscription) async throws {
    let events = messages.enumerated().map { number, message in
      Event(
        position: Position(transactionID: 1, id: Int64(number) + 1), topic: type(of: message).topic.name,
        key: message.eventKey, type: type(of: message).protobufName, payload: message.serialized(),
        occurTime: clock.now.timestamp)
    }
    try await once { tx in
      try await plan.preparation?(events, tx)
      for group in EventBatch(events).groups {
        for handler in plan.handlers where handler.type == group.type { try await handler.apply(group.events, tx) }
      }
    }
  }

  fileprivate func store(_ reported: [BookAvailability]) async throws {
    try await inTransaction { tx in try await operations.tell(reported, tx) }
  }

  /// Runs `body` in a transaction that is repeated only where none became free.
  fileprivate func once(_ body: @Sendable (Transaction) async throws -> Void) async throws {
    while true {
      do { return try await own.transaction { tx in try await body(tx) } } catch let error as PostgresError
        where error.isOverloaded
      {
        await Task.yield()
      }
    }
  }
}
