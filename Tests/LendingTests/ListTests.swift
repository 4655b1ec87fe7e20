import TTRPC
import TandemLending
import TestServices
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
      for user in [TestUser.ada, .grace] { _ = try await lending.confirmHandover(made[0], as: user) }
      func list(_ state: LoanState, _ user: TestUser = .grace) async throws -> [Loan] {
        try await lending.loans.listMyRequests(ListMyRequestsRequest(state: state), user.options).loans
      }
      #expect(try await list(.unspecified).map(\.title) == ["Three", "Two", "One"])
      #expect(try await list(.pending).map(\.title) == ["Three", "Two"])
      let borrowed = try await list(.borrowed)
      #expect(borrowed.map(\.title) == ["One"] && borrowed.first?.ownerUsername == "ada")
      #expect(borrowed.first?.description == "A copy that was read once.")
      #expect(try await list(.unspecified, .ada).isEmpty)
      let unknown = try await refusal { try await list(.unrecognized(99)) }
      #expect(unknown.code == .invalidArgument && unknown.reason == "ENUM_VALUE_UNKNOWN")

      let lent = try await lending.loans.listLentBooks(ListLentBooksRequest(), TestUser.ada.options)
      #expect(lent.loans.map(\.borrowerUsername) == ["grace.h"])
      #expect(try await lending.loans.listLentBooks(ListLentBooksRequest(), TestUser.grace.options).loans.isEmpty)
    }
  }

  @Test("[LE-3] the owner lists a book's requests, the oldest first, and the books that have some")
  func requests() async throws {
    try await RunningLending.with { lending in
      let (book, quiet) = (try await lending.list("Dune"), try await lending.list("Emma"))
      let none = try await lending.loans.listRequests(ListRequestsRequest(bookID: quiet.text), TestUser.ada.options)
      #expect(none.loans.isEmpty && none.notice == "no request now")
      let noBooks = try await lending.loans.listRequestedBooks(ListRequestedBooksRequest(), TestUser.ada.options)
      #expect(noBooks.books.isEmpty && noBooks.notice == "no request now")

      for borrower in [TestUser.grace, .alan] { _ = try await lending.request(book, as: borrower) }
      let some = try await lending.loans.listRequests(ListRequestsRequest(bookID: book.text), TestUser.ada.options)
      #expect(some.loans.map(\.borrowerUsername) == ["grace.h", "alan"] && some.notice.isEmpty)
      let books = try await lending.loans.listRequestedBooks(ListRequestedBooksRequest(), TestUser.ada.options)
      #expect(books.books.map(\.title) == ["Dune"] && books.books.first?.pending == 2 && books.notice.isEmpty)
      let foreign = try await refusal {
        try await lending.loans.listRequests(ListRequestsRequest(bookID: book.text), TestUser.grace.options)
      }
      #expect(foreign.code == .notFound && foreign.reason == "BOOK_NOT_FOUND")
    }
  }

  @Test("[LE-3] all requests on a book, pending ones first, then the others with their states, in pages")
  func allRequests() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      var made: [Loan] = []
      for number in 0..<5 { made.append(try await lending.request(book, as: .one(number))) }
      for loan in made.prefix(2) {
        _ = try await lending.loans.declineRequest(DeclineRequestRequest(loanID: loan.loanID), TestUser.ada.options)
      }
      _ = try await lending.loans.withdrawRequest(
        WithdrawRequestRequest(loanID: made[4].loanID), TestUser.one(4).options)
      var (seen, token) = ([Loan](), "")
      repeat {
        let page = try await lending.loans.listRequests(
          ListRequestsRequest(bookID: book.text, pageSize: 2, pageToken: token), TestUser.ada.options)
        seen += page.loans
        token = page.nextPageToken
      } while !token.isEmpty
      #expect(seen.map(\.loanID) == [2, 3, 4, 1, 0].map { made[$0].loanID })
      #expect(seen.map(\.state) == [.pending, .pending, .withdrawn, .declined, .declined])
      #expect(seen.allSatisfy { $0.updateTime != nil })
      for loan in made[2...3] {
        _ = try await lending.loans.declineRequest(DeclineRequestRequest(loanID: loan.loanID), TestUser.ada.options)
      }
      let books = try await lending.loans.listRequestedBooks(ListRequestedBooksRequest(), TestUser.ada.options)
      #expect(books.books.map(\.bookID) == [book.text] && books.books.first?.pending == 0 && books.notice.isEmpty)
    }
  }

  @Test("[C-5] pages skip and repeat nothing while others ask")
  func pages() async throws {
    try await RunningLending.with { lending in
      for number in 0..<7 { _ = try await lending.request(try await lending.list("\(number)")) }
      var (titles, token) = ([String](), "")
      repeat {
        let page = try await lending.loans.listMyRequests(
          ListMyRequestsRequest(pageSize: 3, pageToken: token), TestUser.grace.options)
        titles += page.loans.map(\.title)
        token = page.nextPageToken
        _ = try await lending.request(try await lending.list("Later"))
      } while !token.isEmpty
      #expect(titles == (0..<7).reversed().map { "\($0)" })
      let tampered = try await refusal {
        try await lending.loans.listMyRequests(ListMyRequestsRequest(pageToken: "x"), TestUser.grace.options)
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
        select gen_random_uuid(), '\(book.id)', '\(TestUser.ada.id)', '\(TestUser.grace.id)', 'DECLINED', '', '', '', now(), now()
        from generate_series(1, 10000)
        """)
      try await lending.sql("analyze loans")
      let plan = try await lending.plan(ofLoansOf: TestUser.grace)
      #expect(
        plan.contains("Index Scan Backward using loans_borrower_idx") && !plan.contains("Seq Scan on loans"), "\(plan)")
    }
  }

  @Test("[LE-13] the owner reads everything that happened to a book, the newest first")
  func historyOfBook() async throws {
    try await withHistory { lending, past in
      let all = try await history(.bookID(past.book.text), .ada, lending)
      #expect(
        all.reversed().map(\.step) == [
          .request, .request, .decline, .accept, .confirmHandover, .handOver, .confirmReturn, .return,
        ])
      #expect(all.map(\.number) == (1...8).reversed().map { Int64($0) })
    }
  }

  @Test("[LE-13] an entry tells what changed, who did it, and when")
  func historyEntry() async throws {
    try await withHistory { lending, past in
      let last = try #require(try await history(.bookID(past.book.text), .ada, lending).first)
      #expect(last.previousStatus == .borrowed && last.status == .available)
      #expect(last.actorID == TestUser.grace.id.description && last.time != nil)
    }
  }

  @Test("[LE-13] both parties read the history of their loan", arguments: [TestUser.ada, .grace])
  func historyOfLoan(user: TestUser) async throws {
    try await withHistory { lending, past in
      let entries = try await history(.loanID(past.loan), user, lending)
      #expect(entries.count == 6 && entries.allSatisfy { $0.loanID == past.loan })
    }
  }

  @Test("[LE-13] who was declined reads the history of that request")
  func historyOfDeclined() async throws {
    try await withHistory { lending, past in
      let entries = try await history(.loanID(past.declined), .alan, lending)
      #expect(entries.map(\.state) == [.declined, .pending])
    }
  }

  @Test("[LE-13] other users read neither a book's history nor a loan's, nor the loan")
  func historyOfOthers() async throws {
    try await withHistory { lending, past in
      let noBook = try await refusal { try await history(.bookID(past.book.text), .grace, lending) }
      let noLoan = try await refusal { try await history(.loanID(past.loan), .alan, lending) }
      let strange = try await refusal {
        try await lending.loans.getLoan(GetLoanRequest(loanID: past.loan), TestUser.alan.options)
      }
      #expect(noBook.reason == "BOOK_NOT_FOUND" && noLoan.reason == "LOAN_NOT_FOUND")
      #expect(strange.code == .notFound)
    }
  }

  @Test("[LE-13] [C-2] a history of nothing is refused")
  func historyOfNothing() async throws {
    try await RunningLending.with { lending in
      let nothing = try await refusal {
        try await lending.loans.listHistory(ListHistoryRequest(), TestUser.ada.options)
      }
      #expect(nothing.reason == "SUBJECT_REQUIRED")
    }
  }

  private func history(
    _ subject: ListHistoryRequest.Subject, _ user: TestUser, _ lending: RunningLending
  ) async throws -> [HistoryEntry] {
    try await lending.loans.listHistory(ListHistoryRequest(subject: subject), user.options).entries
  }

  /// A book of Ada's that was lent to Grace and given back, and that Alan had asked for.
  private struct Past {
    var book: ListedBook
    var loan: String
    var declined: String
  }

  private func withHistory(_ body: @escaping @Sendable (RunningLending, Past) async throws -> Void) async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let other = try await lending.request(book, as: .alan)
      let loan = try await lending.lend(book)
      for user in [TestUser.ada, .grace] { _ = try await lending.confirmReturn(loan, as: user) }
      try await body(lending, Past(book: book, loan: loan.loanID, declined: other.loanID))
    }
  }
}
