import TTRPC
import TandemLending
import TestSupport
import Testing

@Suite("lists of loans")
struct ListTests {
  @Test("[LE-2] [LE-11] the borrower's requests by state, the newest first, with description and owner's name")
  func mine() async throws {
    try await RunningLending.with { lending in
      var made: [Loan] = []
      for title in ["One", "Two", "Three"] { made.append(try await lending.request(try await lending.list(title))) }
      _ = try await lending.accept(made[0])
      for user in [Someone.ada, .grace] { _ = try await lending.confirmHandover(made[0], as: user) }
      func list(_ state: LoanState, _ user: Someone = .grace) async throws -> [Loan] {
        try await lending.loans.listMyRequests(ListMyRequestsRequest(state: state), user.options).loans
      }
      #expect(try await list(.unspecified).map(\.title) == ["Three", "Two", "One"])
      #expect(try await list(.pending).map(\.title) == ["Three", "Two"])
      let borrowed = try await list(.borrowed)
      #expect(borrowed.map(\.title) == ["One"] && borrowed.first?.ownerUsername == "ada")
      #expect(borrowed.first?.description == "A copy that was read once.")
      #expect(try await list(.unspecified, .ada).isEmpty)
      let unknown = try await refusal { try await list(.unrecognized(99)) }
      #expect(unknown.code == .invalidArgument && unknown.reason == "STATE_UNKNOWN")

      let lent = try await lending.loans.listLentBooks(ListLentBooksRequest(), Someone.ada.options)
      #expect(lent.loans.map(\.borrowerUsername) == ["grace.h"])
      #expect(try await lending.loans.listLentBooks(ListLentBooksRequest(), Someone.grace.options).loans.isEmpty)
    }
  }

  @Test("[LE-3] the owner lists a book's requests, the oldest first, and the books that have some")
  func requests() async throws {
    try await RunningLending.with { lending in
      let (book, quiet) = (try await lending.list("Dune"), try await lending.list("Emma"))
      let none = try await lending.loans.listRequests(ListRequestsRequest(bookID: quiet.text), Someone.ada.options)
      #expect(none.loans.isEmpty && none.notice == "no request now")
      let noBooks = try await lending.loans.listRequestedBooks(ListRequestedBooksRequest(), Someone.ada.options)
      #expect(noBooks.books.isEmpty && noBooks.notice == "no request now")

      for borrower in [Someone.grace, .alan] { _ = try await lending.request(book, as: borrower) }
      let some = try await lending.loans.listRequests(ListRequestsRequest(bookID: book.text), Someone.ada.options)
      #expect(some.loans.map(\.borrowerUsername) == ["grace.h", "alan"] && some.notice.isEmpty)
      let books = try await lending.loans.listRequestedBooks(ListRequestedBooksRequest(), Someone.ada.options)
      #expect(books.books.map(\.title) == ["Dune"] && books.books.first?.pending == 2 && books.notice.isEmpty)
      let foreign = try await refusal {
        try await lending.loans.listRequests(ListRequestsRequest(bookID: book.text), Someone.grace.options)
      }
      #expect(foreign.code == .notFound && foreign.reason == "BOOK_NOT_FOUND")
    }
  }

  @Test("[C-5] pages skip and repeat nothing while others ask")
  func pages() async throws {
    try await RunningLending.with { lending in
      for number in 0..<7 { _ = try await lending.request(try await lending.list("\(number)")) }
      var (titles, token) = ([String](), "")
      repeat {
        let page = try await lending.loans.listMyRequests(
          ListMyRequestsRequest(pageSize: 3, pageToken: token), Someone.grace.options)
        titles += page.loans.map(\.title)
        token = page.nextPageToken
        _ = try await lending.request(try await lending.list("Later"))
      } while !token.isEmpty
      #expect(titles == (0..<7).reversed().map { "\($0)" })
      let tampered = try await refusal {
        try await lending.loans.listMyRequests(ListMyRequestsRequest(pageToken: "x"), Someone.grace.options)
      }
      #expect(tampered.code == .invalidArgument && tampered.reason == "PAGE_TOKEN_INVALID")
    }
  }

  @Test("[C-5] a list of 10,000 goes along an index, however deep the page")
  func plans() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      try await lending.sql(
        """
        insert into loans (id, book_id, owner_id, borrower_id, state, title, description, owner_username, requested_at, updated_at)
        select gen_random_uuid(), '\(book.id)', '\(Someone.ada.id)', '\(Someone.grace.id)', 'DECLINED', '', '', '', now(), now()
        from generate_series(1, 10000)
        """)
      try await lending.sql("analyze loans")
      let plan = try await lending.plan(ofLoansOf: Someone.grace)
      #expect(
        plan.contains("Index Scan Backward using loans_borrower_idx") && !plan.contains("Seq Scan on loans"), "\(plan)")
    }
  }

  @Test("[LE-13] the parties read what happened, the newest first, and nobody else does")
  func history() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let other = try await lending.request(book, as: .alan)
      let loan = try await lending.lend(book)
      for user in [Someone.ada, .grace] { _ = try await lending.confirmReturn(loan, as: user) }
      func history(_ subject: ListHistoryRequest.Subject, _ user: Someone) async throws -> [HistoryEntry] {
        try await lending.loans.listHistory(ListHistoryRequest(subject: subject), user.options).entries
      }
      let all = try await history(.bookID(book.text), .ada)
      #expect(
        all.reversed().map(\.step) == [
          .request, .request, .decline, .accept, .confirmHandover, .handOver, .confirmReturn, .return,
        ])
      #expect(all.map(\.number) == (1...8).reversed().map { Int64($0) })
      #expect(all.first?.previousStatus == .borrowed && all.first?.status == .available)
      #expect(all.first?.actorID == Someone.grace.id.description && all.first?.time != nil)
      for user in [Someone.ada, .grace] {
        let ofLoan = try await history(.loanID(loan.loanID), user)
        #expect(ofLoan.count == 6 && ofLoan.allSatisfy { $0.loanID == loan.loanID })
      }
      #expect(try await history(.loanID(other.loanID), .alan).map(\.state) == [.declined, .pending])
      let noBook = try await refusal { try await history(.bookID(book.text), .grace) }
      let noLoan = try await refusal { try await history(.loanID(loan.loanID), .alan) }
      #expect(noBook.reason == "BOOK_NOT_FOUND" && noLoan.reason == "LOAN_NOT_FOUND")
      let nothing = try await refusal {
        try await lending.loans.listHistory(ListHistoryRequest(), Someone.ada.options)
      }
      #expect(nothing.reason == "SUBJECT_REQUIRED")
      let strange = try await refusal {
        try await lending.loans.getLoan(GetLoanRequest(loanID: loan.loanID), Someone.alan.options)
      }
      #expect(strange.code == .notFound)
      #expect(
        try await lending.loans.getLoan(GetLoanRequest(loanID: loan.loanID), Someone.ada.options).state == .returned)
    }
  }
}
