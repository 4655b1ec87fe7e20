import Identifiers
import LendingDomain
import TTRPC
import TandemEvents
import TandemLending
import TestServices
import TestSupport
import Testing

@Suite("races for a book", .timeLimit(.minutes(5)))
struct RaceTests {
  private static let callers = 64

  @Test("[LE-7] of 64 accepts of 64 requests one wins, and the others find theirs declined")
  func acceptAgainstAccept() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      var requests: [Loan] = []
      for number in 0..<Self.callers { requests.append(try await lending.request(book, as: .one(number))) }
      let made = requests
      let results = await lending.race(Self.callers) { loans, number in
        try await loans.acceptRequest(
          AcceptRequestRequest(loanID: made[number].loanID, pickup: RunningLending.place), TestUser.ada.options)
      }
      #expect(results.successes().count == 1)
      #expect(results.reasons() == Array(repeating: "NOT_PENDING", count: Self.callers - 1))
      let states = try await lending.sql("select state, count(*)::text from loans group by 1 order by 1")
      #expect(states == [["ACCEPTED", "1"], ["DECLINED", "\(Self.callers - 1)"]])
      try await lending.expectWholeHistory(of: book)
    }
  }

  @Test("[LE-1] of 64 requests of one person for one book one is made")
  func requestAgainstRequest() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let results = await lending.race(Self.callers) { loans, _ in
        try await loans.requestBook(RequestBookRequest(bookID: book.text), TestUser.grace.options)
      }
      #expect(results.successes().count == 1)
      #expect(results.reasons() == Array(repeating: "ALREADY_REQUESTED", count: Self.callers - 1))
      #expect(try await lending.value("select waiting from books") == "1")
    }
  }

  @Test("[LE-1] of 64 requests of one person for as many books those up to the bound are made, and no more")
  func boundOfRequests() async throws {
    try await RunningLending.with { lending in
      try await lending.list()
      // All but ten of the bound; the books stay out of the way.
      try await lending.sql(
        """
        insert into users (id) values ('\(TestUser.grace.id)') on conflict do nothing;
        insert into books (id, owner_id, isbn, title, description, status, waiting)
        select gen_random_uuid(), '\(TestUser.ada.id)', \(ListedBook.isbn), 'Filler', '', 'REQUESTED', 1
        from generate_series(1, \(BookStatus.maxWaiting - 10));
        insert into loans (id, book_id, owner_id, borrower_id, title, description, owner_username, requested_at, updated_at)
        select gen_random_uuid(), id, owner_id, '\(TestUser.grace.id)', title, '', '', now(), now()
        from books where title = 'Filler'
        """)
      var books: [ListedBook] = []
      for _ in 0..<Self.callers { books.append(try await lending.list()) }
      let listed = books
      let results = await lending.race(Self.callers) { loans, number in
        try await loans.requestBook(RequestBookRequest(bookID: listed[number].text), TestUser.grace.options)
      }
      #expect(results.successes().count == 10)
      #expect(results.reasons() == Array(repeating: "TOO_MANY_REQUESTS", count: Self.callers - 10))
      let waiting = "select count(*) from loans where state = 'PENDING' and borrower_id = '\(TestUser.grace.id)'"
      #expect(try await lending.value(waiting) == "\(BookStatus.maxWaiting)")
    }
  }

  @Test("[LE-7] [LE-2] of accepts and withdrawals of one request, 64 in all, one wins")
  func acceptAgainstWithdraw() async throws {
    try await RunningLending.with { lending in
      for _ in 0..<4 {
        let book = try await lending.list()
        let loan = try await lending.request(book)
        let results = await lending.race(Self.callers) { loans, number in
          if number.isMultiple(of: 2) {
            return try await loans.acceptRequest(
              AcceptRequestRequest(loanID: loan.loanID, pickup: RunningLending.place), TestUser.ada.options)
          }
          return try await loans.withdrawRequest(WithdrawRequestRequest(loanID: loan.loanID), TestUser.grace.options)
        }
        let won = results.successes()
        #expect(won.count == 1 && results.reasons().allSatisfy { $0 == "NOT_PENDING" })
        #expect(try await lending.status(of: book) == (won.first?.state == .accepted ? "ACCEPTED" : "AVAILABLE"))
        try await lending.expectWholeHistory(of: book)
      }
    }
  }

  @Test("[CA-24] of retirements and requests, 64 in all, either all of one side succeed or all of the other")
  func retireAgainstRequest() async throws {
    try await RunningLending.with { lending in
      for _ in 0..<4 {
        let book = try await lending.list()
        let results = await lending.race(Self.callers) { loans, number in
          if number.isMultiple(of: 2) {
            _ = try await loans.retireBook(.of(book), .catalog)
            return "retired"
          }
          return try await loans.requestBook(RequestBookRequest(bookID: book.text), TestUser.one(number).options).loanID
        }
        let won = Set(results.successes().map { $0 == "retired" ? $0 : "requested" })
        #expect(won.count == 1)
        let isRetired = won == ["retired"]
        #expect(Set(results.reasons()) == [isRetired ? "BOOK_NOT_FOUND" : "BOOK_NOT_AVAILABLE"])
        #expect(try await lending.status(of: book) == (isRetired ? "AVAILABLE" : "REQUESTED"))
      }
    }
  }

  @Test("[LE-9] [LE-10] 64 scans at once hand a book over once, and give it back once")
  func confirmAgainstConfirm() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let loan = try await lending.accept(try await lending.request(book))
      let handovers = await lending.race(Self.callers) { loans, number in
        try await loans.confirmHandover(
          ConfirmHandoverRequest(loanID: loan.loanID, isbn: ListedBook.isbn),
          (number.isMultiple(of: 2) ? TestUser.ada : .grace).options)
      }
      #expect(handovers.successes().count == Self.callers)
      let returns = await lending.race(Self.callers) { loans, number in
        try await loans.confirmReturn(
          ConfirmReturnRequest(
            loanID: loan.loanID, isbn: ListedBook.isbn, comment: number.isMultiple(of: 2) ? "" : "Comment \(number)"),
          (number.isMultiple(of: 2) ? TestUser.ada : .grace).options)
      }
      #expect(returns.successes().count == Self.callers)
      #expect(
        try await lending.steps(of: book).suffix(4) == [
          "CONFIRM_HANDOVER ACCEPTED>ACCEPTED", "HAND_OVER ACCEPTED>BORROWED", "CONFIRM_RETURN BORROWED>BORROWED",
          "RETURN BORROWED>AVAILABLE",
        ])
      #expect(try await lending.told(ReturnCommented.self).count == 1)
      try await lending.expectWholeHistory(of: book)
    }
  }

  @Test("[LE-14] of cancellations and the last scan, 64 in all, one side wins")
  func cancelAgainstConfirm() async throws {
    try await RunningLending.with { lending in
      for _ in 0..<4 {
        let book = try await lending.list()
        let loan = try await lending.accept(try await lending.request(book))
        _ = try await lending.confirmHandover(loan, as: .ada)
        let results = await lending.race(Self.callers) { loans, number in
          if number.isMultiple(of: 2) {
            return try await loans.cancelLoan(CancelLoanRequest(loanID: loan.loanID), TestUser.ada.options)
          }
          return try await loans.confirmHandover(
            ConfirmHandoverRequest(loanID: loan.loanID, isbn: ListedBook.isbn), TestUser.grace.options)
        }
        let states = Set(results.successes().map(\.state))
        #expect(states == [.cancelled] || states == [.borrowed])
        #expect(Set(results.reasons()) == ["NOT_ACCEPTED"])
        #expect(try await lending.status(of: book) == (states == [.cancelled] ? "AVAILABLE" : "BORROWED"))
        let told = try await lending.told(NotificationRequested.self).filter {
          $0.notificationKey.hasPrefix("loans/\(loan.loanID)/") && $0.word == "cancelled"
        }
        #expect(told.count == (states == [.cancelled] ? 1 : 0))
        try await lending.expectWholeHistory(of: book)
      }
    }
  }
}

extension RetireBookRequest {
  static func of(_ book: ListedBook, validateOnly: Bool = false) -> RetireBookRequest {
    RetireBookRequest(
      bookID: book.text, ownerID: book.owner.id.description, isbn: ListedBook.isbn, title: "Dune",
      validateOnly: validateOnly)
  }
}

extension RunningLending {
  /// Expects the book's history to have no gap, each line to begin where the one before ended, and its events to be the same story.
  func expectWholeHistory(of book: ListedBook, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let rows = try await sql(
      """
      select number::text, previous_status, status from history where book_id = '\(book.id)' order by history.number
      """)
    var last = "AVAILABLE"
    for (place, row) in rows.enumerated() {
      #expect(row[0] == "\(place + 1)" && row[1] == last, "\(row)", sourceLocation: sourceLocation)
      last = row[2] ?? ""
    }
    #expect(try await status(of: book) == last, sourceLocation: sourceLocation)
    let changes = rows.filter { $0[1] != $0[2] }.count
    let told = try await told(BookStatusChanged.self).filter { $0.bookID == book.text }
    #expect(told.count == changes, sourceLocation: sourceLocation)
  }
}
