import Identifiers
import TTRPC
import TandemEvents
import TandemLending
import TestServices
import TestSupport
import Testing

@Suite("books on hold")
struct HoldTests {
  private func hold(
    _ book: ListedBook, _ lending: RunningLending, as user: TestUser = .ada, validateOnly: Bool = false
  ) async throws -> HoldBookResponse {
    try await lending.loans.holdBook(
      HoldBookRequest(bookID: book.text, validateOnly: validateOnly), user.options)
  }

  @Test("[CA-29] a book on hold stays available and cannot be requested; pending requests are declined and told")
  func withRequests() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let loans = [
        try await lending.request(book, as: .grace), try await lending.request(book, as: .alan),
      ]
      #expect(try await hold(book, lending, validateOnly: true).declined == 2)
      #expect(try await lending.status(of: book) == "REQUESTED")
      let held = try await hold(book, lending)
      #expect(held.declined == 2 && held.holdTime != nil)
      #expect(try await lending.status(of: book) == "AVAILABLE")
      #expect(
        try await lending.steps(of: book) == [
          "REQUEST AVAILABLE>REQUESTED", "REQUEST REQUESTED>REQUESTED", "DECLINE REQUESTED>REQUESTED",
          "DECLINE REQUESTED>AVAILABLE",
        ])
      let notice = try #require(try await lending.told(NotificationRequested.self).last)
      #expect(notice.word == "declined" && notice.recipientIds == [TestUser.grace, .alan].map(\.id.description))
      #expect(notice.recipientSubjects == loans.map { "loans/\($0.loanID)" }, "[LE-17]")
      #expect(try await lending.told(BookHoldChanged.self).map(\.onHold) == [true])
      #expect(try await lending.told(BookStatusChanged.self).last?.status == .available)
      let refused = try await refusal { try await lending.request(book) }
      #expect(refused.code == .failedPrecondition && refused.reason == "BOOK_ON_HOLD")
    }
  }

  @Test("[CA-29] holding and releasing twice changes nothing, and a released book is requested again")
  func release() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let first = try await hold(book, lending)
      lending.clock.advance(by: .seconds(60))
      #expect(try await hold(book, lending) == first)
      for _ in 0..<2 {
        _ = try await lending.loans.releaseBook(ReleaseBookRequest(bookID: book.text), TestUser.ada.options)
      }
      #expect(try await lending.told(BookHoldChanged.self).map(\.onHold) == [true, false])
      #expect(try await lending.request(book).state == .pending)
      let statuses = try await lending.loans.findBookStatuses(
        FindBookStatusesRequest(bookIds: [book.text]), .catalog)
      #expect(statuses.statuses.map(\.onHold) == [false])
    }
  }

  @Test("[CA-29] only the owner holds a book, and no promised, lent or deleted one")
  func refusals() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let foreign = try await refusal { try await hold(book, lending, as: .grace) }
      #expect(foreign.code == .notFound && foreign.reason == "BOOK_NOT_FOUND")
      let malformed = try await refusal {
        try await lending.loans.holdBook(HoldBookRequest(bookID: "x", requestID: "y"), TestUser.ada.options)
      }
      #expect(Set(malformed.fieldReasons) == ["BOOK_ID_INVALID", "REQUEST_ID_INVALID"])
      let loan = try await lending.accept(try await lending.request(book))
      let promised = try await refusal { try await hold(book, lending) }
      #expect(promised.code == .failedPrecondition && promised.reason == "BOOK_NOT_AVAILABLE")
      for user in [TestUser.ada, .grace] { _ = try await lending.confirmHandover(loan, as: user) }
      #expect(try await refusal { try await hold(book, lending) }.reason == "BOOK_NOT_AVAILABLE")
      let gone = try await lending.list("Emma")
      _ = try await lending.loans.retireBook(
        RetireBookRequest(bookID: gone.text, ownerID: gone.owner.id.description, isbn: ListedBook.isbn, title: "Emma"),
        .catalog)
      #expect(try await refusal { try await hold(gone, lending) }.reason == "BOOK_NOT_FOUND")
    }
  }

  @Test("[CA-29] of a request and a hold at once the book is either requested or on hold, never both")
  func race() async throws {
    try await RunningLending.with { lending in
      for _ in 0..<10 {
        let book = try await lending.list()
        _ = await lending.race(4) { loans, caller in
          if caller == 0 {
            _ = try await loans.holdBook(HoldBookRequest(bookID: book.text), TestUser.ada.options)
          } else {
            _ = try await loans.requestBook(RequestBookRequest(bookID: book.text), TestUser.one(caller).options)
          }
        }
        let row = try await lending.sql(
          """
          select status, waiting::text, (held_at is not null)::text,
            (select count(*) from loans where book_id = books.id and state = 'PENDING')::text
          from books where id = '\(book.id)'
          """)
        #expect(row == [["AVAILABLE", "0", "true", "0"]], "the hold comes before or declines them")
      }
    }
  }
}
