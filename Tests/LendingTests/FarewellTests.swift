import Events
import Identifiers
import LendingDomain
import LendingHandlers
import LendingStore
import Postgres
import TTRPC
import TandemEvents
import TandemLending
import TestSupport
import Testing

@Suite("people who part")
struct FarewellTests {
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
      #expect(try await lending.value("select count(*) from loans where borrower_id is not null") == "0")
      #expect(try await lending.value("select count(*) from history where actor_id = '\(Someone.grace.id)'") == "0")
      let seen = try await lending.loans.listLentBooks(ListLentBooksRequest(), Someone.ada.options).loans
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
      for borrower in [Someone.grace, .alan] { _ = try await lending.request(asked, as: borrower) }
      let lent = try await lending.lend(lentBook)

      try await lending.leave(.ada)

      let notices = try await lending.told(NotificationRequested.self).filter { $0.word == "declined" }
      #expect(Set(notices.flatMap(\.recipientIds)) == [Someone.grace.id.description, Someone.alan.id.description])
      let loans = try await lending.loans.listMyRequests(ListMyRequestsRequest(), Someone.grace.options).loans
      #expect(loans.map(\.state) == [.borrowed, .declined])
      #expect(loans.allSatisfy { $0.ownerID.isEmpty && $0.ownerUsername.isEmpty && $0.description.isEmpty })
      #expect(loans.first?.title == "Lent" && loans.first?.pickup == nil)
      #expect(try await lending.value("select count(*) from books where owner_id is not null") == "0")
      #expect(try await lending.confirmReturn(lent, as: .grace).state == .returned)
      let gone = try await refusal { try await lending.request(lentBook, as: .alan) }
      #expect(gone.reason == "BOOK_NOT_FOUND")

      try await lending.leave(.grace)
      #expect(try await lending.value("select count(*) from loans") == "1", "Alan's declined one")
      try await lending.leave(.alan)
      for table in ["loans", "books", "history"] {
        #expect(try await lending.value("select count(*) from \(table)") == "0", "\(table)")
      }
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
      let named = try await lending.sql("select username from people where departed")
      #expect(named == [[""], [""]])
    }
  }

  @Test("[C-9] of 24 requests that race with a departure none stays open")
  func race() async throws {
    try await RunningLending.with { lending in
      var books: [ListedBook] = []
      for _ in 0..<24 { books.append(try await lending.list()) }
      let listed = books
      async let asking = lending.race(24) { loans, number in
        try await loans.requestBook(RequestBookRequest(bookID: listed[number].text), Someone.grace.options)
      }
      try await lending.leave(.grace)
      let refused = await asking.reasons()
      #expect(refused.allSatisfy { $0 == "TOKEN_INVALID" })
      #expect(try await eventually { try await lending.value("select count(*) from people where not settled") == "0" })
      #expect(try await lending.value("select count(*) from loans where state = 'PENDING'") == "0")
      #expect(try await lending.value("select count(*) from books where status <> 'AVAILABLE'") == "0")
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

      try await lending.own.repeatableTransaction { tx in
        try await tx.execute(InsertBlock(of: Someone.grace.id, by: Someone.ada.id))
        try await lending.farewells.scheduleSeparation(of: Someone.grace.id, from: Someone.ada.id, tx)
      }

      #expect(try await eventually { try await lending.status(of: hers) == "AVAILABLE" })
      #expect(try await eventually { try await lending.status(of: theirs) == "AVAILABLE" })
      #expect(try await lending.status(of: lent) == "BORROWED")
      #expect(try await lending.status(of: other) == "REQUESTED")
      #expect(try await lending.steps(of: hers).last == "DECLINE REQUESTED>AVAILABLE")
      #expect(try await lending.steps(of: theirs).last == "WITHDRAW REQUESTED>AVAILABLE")
    }
  }
}

extension RunningLending {
  /// As the service's consumers have them.
  var farewells: Farewells {
    Farewells(journal: Journal(events: runtime.events, jobs: runtime.jobs, clock: clock), jobs: runtime.jobs)
  }

  /// Does what the consumer of identity's events does about somebody who left, and waits until all is settled.
  func leave(_ someone: Someone) async throws {
    try await own.repeatableTransaction { tx in
      for removal in LendingSchema.removals { try await Self.remove(someone.id.uuid, by: removal, tx) }
      try await farewells.scheduleSettlement(tx)
    }
    let isSettled = try await eventually { try await value("select count(*) from people where not settled") == "0" }
    #expect(isSettled)
  }

  private static func remove<R: PersonRemoval>(_ person: UUID7, by removal: R.Type, _ tx: Transaction) async throws {
    try await tx.execute(R(of: person))
  }
}
