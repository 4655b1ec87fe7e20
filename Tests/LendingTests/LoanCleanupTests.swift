import AccountDeletions
import Blocks
import Events
import Identifiers
import LendingDomain
import LendingOperations
import LendingStore
import Postgres
import TTRPC
import TandemEvents
import TandemLending
import TestServices
import TestSupport
import Testing

@Suite("people who part", .timeLimit(.minutes(5)))
struct LoanCleanupTests {
  @Test("[C-9] a borrower who leaves: what waits is withdrawn, what is promised cancelled, what is lent stays lent")
  func borrowerLeaves() async throws {
    try await RunningLending.with { lending in
      let books = [try await lending.list("Asked"), try await lending.list("Promised"), try await lending.list("Lent")]
      _ = try await lending.request(books[0])
      _ = try await lending.accept(try await lending.request(books[1]))
      let lent = try await lending.lend(books[2])

      try await lending.leave(.grace)

      var statuses: [String?] = []
      for book in books { statuses.append(try await lending.status(of: book)) }
      #expect(statuses == ["AVAILABLE", "AVAILABLE", "BORROWED"])
      let notices = try await lending.told(NotificationRequested.self).filter { $0.word == "cancelled" }
      #expect(notices.map(\.recipientIds) == [[TestUser.ada.id.description]], "who waits to hand it over is told")
      #expect(try await lending.value("select count(*) from loans where borrower_id is not null") == "0")
      #expect(try await lending.value("select count(*) from history where actor_id = '\(TestUser.grace.id)'") == "0")
      let seen = try await lending.loans.listLentBooks(ListLentBooksRequest(), TestUser.ada.options).loans
      #expect(seen.map(\.title) == ["Lent"] && seen.first?.borrowerID == "" && seen.first?.borrowerUsername == "")
      let back = try await lending.confirmReturn(lent, as: .ada)
      #expect(back.state == .returned, "the owner alone can say that it is back")
      #expect(try await lending.status(of: books[2]) == "AVAILABLE")
      for book in books { try await lending.expectWholeHistory(of: book) }
      let late = try await refusal { try await lending.request(books[0]) }
      #expect(late.code == .unauthenticated)
    }
  }

  @Test("[C-9] an owner who leaves: borrowers are told, and a book that is lent is given back by who has it")
  func ownerLeaves() async throws {
    try await RunningLending.with { lending in
      let (asked, lentBook) = (try await lending.list("Asked"), try await lending.list("Lent"))
      for borrower in [TestUser.grace, .alan] { _ = try await lending.request(asked, as: borrower) }
      _ = try await lending.accept(try await lending.request(try await lending.list("Promised"), as: .one(1)))
      let lent = try await lending.lend(lentBook)

      try await lending.leave(.ada)

      let notices = try await lending.told(NotificationRequested.self).filter { $0.word == "declined" }
      #expect(Set(notices.flatMap(\.recipientIds)) == [TestUser.grace.id.description, TestUser.alan.id.description])
      let cancelled = try await lending.told(NotificationRequested.self).filter { $0.word == "cancelled" }
      #expect(cancelled.map(\.recipientIds) == [[TestUser.one(1).id.description]])
      let loans = try await lending.loans.listMyRequests(ListMyRequestsRequest(), TestUser.grace.options).loans
      #expect(loans.map(\.state) == [.borrowed, .declined])
      #expect(loans.allSatisfy { $0.ownerID.isEmpty && $0.ownerUsername.isEmpty && $0.description.isEmpty })
      #expect(loans.first?.title == "Lent" && loans.first?.pickup == nil)
      #expect(try await lending.value("select count(*) from books where owner_id is not null") == "0")
      #expect(try await lending.confirmReturn(lent, as: .grace).state == .returned)
      let gone = try await refusal { try await lending.request(lentBook, as: .alan) }
      #expect(gone.reason == "BOOK_NOT_FOUND")

      try await lending.leave(.grace)
      #expect(try await lending.value("select count(*) from loans") == "2", "what others were refused")
      for someone in [TestUser.alan, .one(1)] { try await lending.leave(someone) }
      for table in ["loans", "books", "history"] {
        #expect(try await lending.value("select count(*) from \(table)") == "0", "\(table)")
      }
    }
  }

  @Test("[C-9] B10: a user whose loans cannot be closed keeps no other user's from being")
  func failingCleanup() async throws {
    try await RunningLending.with { lending in
      let books = [try await lending.list("One"), try await lending.list("Two")]
      _ = try await lending.request(books[0])
      _ = try await lending.request(books[1], as: .alan)
      try await lending.sql(
        """
        create function refuse() returns trigger language plpgsql as $$
        begin
          if old.borrower_id = '\(TestUser.grace.id)' then raise exception 'not this one'; end if;
          return new;
        end
        $$;
        create trigger refused before update on loans for each row execute function refuse()
        """)
      for someone in [TestUser.grace, .alan] { try await lending.begin(toLeave: someone) }
      let isDone = try await eventually {
        // A job that failed is repeated by the clock, which stands still.
        lending.clock.advance(by: .seconds(1))
        return try await lending.value("select cleaned_up from users where id = '\(TestUser.alan.id)'") == "t"
      }
      #expect(isDone)
      #expect(try await lending.value("select cleaned_up from users where id = '\(TestUser.grace.id)'") == "f")
    }
  }

  @Test("[C-9] when both have left nobody has the book any more")
  func bothLeave() async throws {
    try await RunningLending.with { lending in
      _ = try await lending.lend(try await lending.list())
      try await lending.leave(.grace)
      try await lending.leave(.ada)
      for table in ["loans", "books", "history"] {
        #expect(try await lending.value("select count(*) from \(table)") == "0", "\(table)")
      }
      let named = try await lending.sql("select username from users where deleted")
      #expect(named == [[""], [""]])
    }
  }

  @Test(
    "[LE-10] [C-9] one party confirms the return and the other deletes the account: the loan is complete",
    arguments: [(TestUser.ada, TestUser.grace), (.grace, .ada)])
  func departureAfterConfirmation(confirming: TestUser, leaving: TestUser) async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let loan = try await lending.lend(book)
      #expect(try await lending.confirmReturn(loan, as: confirming).state == .borrowed)

      try await lending.leave(leaving)

      #expect(try await lending.status(of: book) == "AVAILABLE")
      let seen = try await lending.loans.getLoan(GetLoanRequest(loanID: loan.loanID), confirming.options)
      #expect(seen.state == .returned)
      #expect(try await lending.steps(of: book).last == "RETURN BORROWED>AVAILABLE")
      let retired = try await lending.value("select retired_at is not null from books")
      #expect(retired == (leaving.id == TestUser.ada.id ? "t" : "f"), "no book without an owner is lent again")
      try await lending.expectWholeHistory(of: book)
      let again = try await refusal { try await lending.confirmReturn(loan, as: confirming, isbn: "9780547928227") }
      #expect(again.reason == "ISBN_MISMATCH")
      #expect(try await lending.confirmReturn(loan, as: confirming).state == .returned, "a repeat stays harmless")
    }
  }

  @Test(
    "[LE-10] [C-9] a migration has returns completed that an account deletion had left open for ever",
    arguments: Party.allCases
  )
  func mendedReturns(gone: Party) async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let loan = try await lending.lend(book)
      _ = try await lending.confirmReturn(loan, as: gone == .owner ? .grace : .ada)
      // As an account deletion left it before.
      try await lending.sql("update loans set \(gone == .owner ? "owner_id" : "borrower_id") = null")
      if gone == .owner { try await lending.sql("update books set owner_id = null") }
      let migration = try #require(LendingSchema.migrations.last { $0.name.contains("stuck_returns") })
      try await lending.sql(migration.sql)
      // The migration's job is due by the database's clock.
      lending.clock.advance(by: .seconds(20 * 366 * 86_400))

      #expect(try await eventually { try await lending.status(of: book) == "AVAILABLE" })
      #expect(try await lending.value("select state from loans") == "RETURNED")
      #expect(try await lending.value("select retired_at is not null from books") == (gone == .owner ? "t" : "f"))
      try await lending.expectWholeHistory(of: book)
    }
  }

  @Test("[C-9] of 24 requests that race with an account deletion none stays open")
  func race() async throws {
    try await RunningLending.with { lending in
      var books: [ListedBook] = []
      for _ in 0..<24 { books.append(try await lending.list()) }
      let listed = books
      async let asking = lending.race(24) { loans, number in
        try await loans.requestBook(RequestBookRequest(bookID: listed[number].text), TestUser.grace.options)
      }
      try await lending.leave(.grace)
      let refused = await asking.reasons()
      #expect(refused.allSatisfy { $0 == "TOKEN_INVALID" })
      #expect(
        try await eventually { try await lending.value("select count(*) from users where not cleaned_up") == "0" })
      #expect(try await lending.value("select count(*) from loans where state = 'PENDING'") == "0")
      #expect(try await lending.value("select count(*) from books where status <> 'AVAILABLE'") == "0")
    }
  }

  @Test("[C-9] of 24 books that the catalog tells of while their owner leaves none is kept")
  func listingRace() async throws {
    try await RunningLending.with { lending in
      try await withThrowingTaskGroup { group in
        for number in 0..<24 {
          group.addTask { _ = try await lending.list(of: number.isMultiple(of: 2) ? .ada : .one(1)) }
        }
        for someone in [TestUser.ada, .one(1)] { group.addTask { try await lending.leave(someone) } }
        try await group.waitForAll()
      }
      #expect(try await lending.value("select count(*) from books") == "0")
    }
  }

  @Test("[C-10] a block closes the requests that wait between two people, and no others")
  func block() async throws {
    try await RunningLending.with { lending in
      let (hers, theirs) = (try await lending.list("Hers"), try await lending.list("Theirs", of: .grace))
      let (lent, other) = (try await lending.list("Lent"), try await lending.list("Other"))
      _ = try await lending.request(hers)
      _ = try await lending.request(theirs, as: .ada)
      _ = try await lending.request(other, as: .alan)
      _ = try await lending.lend(lent)

      try await lending.inTransaction { tx in
        try await tx.execute(AddBlocks([Block(of: TestUser.grace.id, by: TestUser.ada.id)]))
        try await lending.operations.scheduleClosings([(TestUser.ada.id, TestUser.grace.id)], tx)
      }

      #expect(try await eventually { try await lending.status(of: hers) == "AVAILABLE" })
      #expect(try await eventually { try await lending.status(of: theirs) == "AVAILABLE" })
      #expect(try await lending.status(of: lent) == "BORROWED")
      #expect(try await lending.status(of: other) == "REQUESTED")
      #expect(try await lending.steps(of: hers).last == "DECLINE REQUESTED>AVAILABLE")
      #expect(try await lending.steps(of: theirs).last == "WITHDRAW REQUESTED>AVAILABLE")
    }
  }

  @Test("[C-10] a block that was taken back before lending came to it closes nothing")
  func takenBack() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      _ = try await lending.request(book)
      try await lending.inTransaction { tx in
        let block = Block(of: TestUser.grace.id, by: TestUser.ada.id)
        try await tx.execute(AddBlocks([block]))
        try await lending.operations.scheduleClosings([(TestUser.ada.id, TestUser.grace.id)], tx)
        try await tx.execute(RemoveBlocks([block]))
      }
      #expect(try await lending.jobsAreDone())
      #expect(try await lending.status(of: book) == "REQUESTED")
    }
  }

  @Test("[C-10] where news of blocks was missed, all that waits between people who keep each other away is closed")
  func closeAllBlockedRequests() async throws {
    try await RunningLending.with { lending in
      // The job needs more than one run for them.
      var books: [ListedBook] = []
      for number in 0..<25 {
        let book = try await lending.list(of: number.isMultiple(of: 5) ? .grace : .ada)
        _ = try await lending.request(book, as: number.isMultiple(of: 5) ? .ada : .grace)
        books.append(book)
      }
      _ = try await lending.request(books[1], as: .alan)
      let lent = try await lending.lend(try await lending.list())
      try await lending.inTransaction { tx in
        let blocks = [(TestUser.grace, TestUser.ada), (.ada, .grace), (.one(1), .ada)]
        try await tx.execute(AddBlocks(blocks.map { Block(of: $0.id, by: $1.id) }))
        try await lending.operations.scheduleClosings(tx)
      }

      let left = "select count(*) from loans where state = 'PENDING'"
      #expect(try await eventually { try await lending.value(left) == "1" })
      #expect(try await lending.jobsAreDone())
      #expect(try await lending.status(of: books[1]) == "REQUESTED", "Alan's waits")
      #expect(try await lending.value("select count(*) from books where status = 'AVAILABLE'") == "24")
      #expect(
        try await lending.loans.getLoan(GetLoanRequest(loanID: lent.loanID), TestUser.ada.options).state == .borrowed)
      for book in books { try await lending.expectWholeHistory(of: book) }
    }
  }

  @Test("[C-10] the first request of a user who is blocked at that moment waits for the block, and is refused")
  func blockedAtTheFirstRequest() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let isBlocked = Gate()
      async let refused = refusal {
        await isBlocked.pass()
        return try await lending.request(book)
      }
      try await lending.inTransaction { tx in
        // It stores the row of the borrower, of whom lending knew nothing.
        try await tx.execute(AddBlocks([Block(of: TestUser.grace.id, by: TestUser.ada.id)]))
        isBlocked.open()
        try await until("the request waits for the block") {
          let waiting =
            "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
          return try await lending.value(waiting) == "1"
        }
      }
      #expect(try await refused.reason == "BOOK_NOT_FOUND")
      #expect(try await lending.value("select count(*) from loans") == "0")
    }
  }

  @Test("[C-10] of 64 requests that race with blocks none stays open")
  func blockRace() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      async let asking = lending.race(64) { loans, number in
        try await loans.requestBook(RequestBookRequest(bookID: book.text), TestUser.one(number).options)
      }
      try await withThrowingTaskGroup { group in
        for number in 0..<64 {
          let someone = TestUser.one(number)
          let (blocker, blocked) = number.isMultiple(of: 2) ? (someone, TestUser.ada) : (.ada, someone)
          group.addTask {
            try await lending.inTransaction { tx in
              try await tx.execute(AddBlocks([Block(of: blocked.id, by: blocker.id)]))
              try await lending.operations.scheduleClosings([(blocker.id, blocked.id)], tx)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(await asking.reasons().allSatisfy { $0 == "BOOK_NOT_FOUND" })
      #expect(try await lending.jobsAreDone())
      #expect(try await lending.value("select count(*) from loans where state = 'PENDING'") == "0")
      #expect(try await lending.status(of: book) == "AVAILABLE")
      try await lending.expectWholeHistory(of: book)
    }
  }
}

extension RunningLending {
  /// As the service's consumers have them.
  var operations: LoanOperations {
    LoanOperations(
      database: runtime.database, environment: runtime.environment, events: runtime.events, jobs: runtime.jobs,
      catalog: nil, declarationWait: .seconds(14 * 86_400), logger: runtime.logger)
  }

  /// Does what the consumer of identity's events does after an account deletion, and waits until the cleanup is complete.
  func leave(_ someone: TestUser) async throws {
    try await begin(toLeave: someone)
    let isSettled = try await eventually { try await value("select count(*) from users where not cleaned_up") == "0" }
    #expect(isSettled)
  }

  /// Does what the consumer of identity's events does after an account deletion.
  func begin(toLeave someone: TestUser) async throws {
    try await inTransaction { tx in
      for removal in LendingSchema.removals { try await Self.remove(someone.id, by: removal, tx) }
      try await operations.scheduleSettlement(tx)
    }
  }

  /// Waits until no job is left but the notices of days to come; one that conflicted is repeated a moment later, by the clock that stands
  /// still.
  func jobsAreDone() async throws -> Bool {
    try await eventually {
      clock.advance(by: .seconds(1))
      let left = "select count(*) from jobs where kind not in ('due_reminder', 'overdue_notice', 'last_call')"
      return try await value(left) == "0"
    }
  }

  private static func remove<R: AccountDeletionStatement>(_ user: UserID, by removal: R.Type, _ tx: Transaction)
    async throws
  {
    try await tx.execute(R(userID: user))
  }
}
