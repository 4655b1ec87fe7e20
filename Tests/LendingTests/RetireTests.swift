import TTRPC
import TandemEvents
import TandemLending
import TestServices
import TestSupport
import Testing

@Suite("what lending tells the catalog")
struct RetireTests {
  @Test("[CA-24] lending retires a book that is available, once and for all, and no other")
  func retire() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      func retire(validateOnly: Bool = false) async throws -> RetireBookResponse {
        try await lending.loans.retireBook(.of(book, validateOnly: validateOnly), .catalog)
      }
      let loan = try await lending.request(book)
      let refused = try await refusal { try await retire() }
      #expect(refused.code == .failedPrecondition && refused.reason == "BOOK_NOT_AVAILABLE")
      #expect(refused.message == "Deleting is not permitted until its status is available")
      _ = try await lending.loans.withdrawRequest(WithdrawRequestRequest(loanID: loan.loanID), TestUser.grace.options)
      _ = try await retire(validateOnly: true)
      #expect(try await lending.value("select retired_at from books") == nil)
      let first = try await retire()
      lending.clock.advance(by: .seconds(5))
      #expect(try await retire() == first)
      let gone = try await refusal { try await lending.request(book) }
      #expect(gone.reason == "BOOK_NOT_FOUND")
    }
  }

  @Test("[CA-24] a book of which lending never heard is retired too")
  func unknown() async throws {
    try await RunningLending.with { lending in
      let book = ListedBook(id: .init(lending.runtime.environment.randomness.uuid7(at: lending.clock.now)), owner: .ada)
      _ = try await lending.loans.retireBook(.of(book), .catalog)
      let gone = try await refusal { try await lending.request(book) }
      #expect(gone.reason == "BOOK_NOT_FOUND")
    }
  }

  @Test("[LE-10] lending lists what was said on returns, page by page, of those who are there")
  func comments() async throws {
    try await RunningLending.with { lending in
      var loans: [Loan] = []
      for number in 0..<4 {
        let borrower = number == 3 ? TestUser.alan : .grace
        let loan = try await lending.lend(try await lending.list("\(number)"), to: borrower)
        let comment = number == 0 ? "" : "Comment \(number)"
        lending.clock.advance(by: .seconds(1))
        _ = try await lending.confirmReturn(loan, as: borrower, comment: comment)
        lending.clock.advance(by: .seconds(1))
        _ = try await lending.confirmReturn(loan, as: .ada)
        loans.append(loan)
      }
      let first = try await lending.loans.listReturnComments(
        ListReturnCommentsRequest(pageSize: 2), .catalog)
      #expect(first.comments.map(\.text) == ["Comment 1", "Comment 2"])
      #expect(first.comments.map(\.loanID) == loans[1...2].map(\.loanID))
      #expect(first.comments.map(\.bookID) == loans[1...2].map(\.bookID))
      #expect(first.comments.allSatisfy { $0.authorID == TestUser.grace.id.description })
      let told = try await lending.told(ReturnCommented.self)
      #expect(first.comments.map(\.createTime) == told.prefix(2).map(\.createTime), "the time of the event")
      func rest() async throws -> [String] {
        let call = ListReturnCommentsRequest(pageSize: 2, pageToken: first.nextPageToken)
        return try await lending.loans.listReturnComments(call, .catalog).comments.map(\.text)
      }
      #expect(try await rest() == ["Comment 3"])
      try await lending.leave(.alan)
      #expect(try await rest() == [])
      let tampered = try await refusal {
        try await lending.loans.listReturnComments(ListReturnCommentsRequest(pageToken: "x"), .catalog)
      }
      #expect(tampered.reason == "PAGE_TOKEN_INVALID")
    }
  }

  @Test("[LE-15] lending says where books are")
  func statuses() async throws {
    try await RunningLending.with { lending in
      let (lent, quiet) = (try await lending.list(), try await lending.list())
      _ = try await lending.lend(lent)
      let call = FindBookStatusesRequest(bookIds: [lent.text, quiet.text, "019bc186-de00-7000-8080-000000000000"])
      let found = try await lending.loans.findBookStatuses(call, .catalog).statuses
      let byID = Dictionary(uniqueKeysWithValues: found.map { ($0.bookID, $0) })
      #expect(byID.count == 2 && byID[lent.text]?.status == .borrowed && byID[quiet.text]?.status == .available)
      #expect(byID[lent.text]?.borrowerID == TestUser.grace.id.description && byID[quiet.text]?.borrowerID == "")
      for (ids, reason) in [([], "BOOK_IDS_REQUIRED"), (["x"], "BOOK_ID_INVALID")] {
        let refused = try await refusal {
          try await lending.loans.findBookStatuses(FindBookStatusesRequest(bookIds: ids), .catalog)
        }
        #expect(refused.code == .invalidArgument && refused.reason == reason)
      }
    }
  }

  @Test("[CA-28] lending says which of some books somebody waits for, and nothing of what others do")
  func requested() async throws {
    try await RunningLending.with { lending in
      let (wanted, lent, quiet) = (try await lending.list(), try await lending.list(), try await lending.list())
      _ = try await lending.request(wanted)
      _ = try await lending.lend(lent)
      func waits(_ someone: TestUser, _ books: [String]) async throws -> [String] {
        let call = FindRequestedBooksRequest(borrowerID: someone.id.description, bookIds: books)
        return try await lending.loans.findRequestedBooks(call, .catalog).bookIds
      }
      #expect(try await waits(.grace, [wanted.text, lent.text, quiet.text]) == [wanted.text])
      #expect(try await waits(.grace, [quiet.text]).isEmpty)
      #expect(try await waits(.ada, [wanted.text]).isEmpty)
      let refused = try await refusal {
        try await lending.loans.findRequestedBooks(
          FindRequestedBooksRequest(borrowerID: "x", bookIds: ["y"]), .catalog)
      }
      #expect(refused.fieldReasons == ["USER_ID_INVALID", "BOOK_ID_INVALID"])
      let many = FindRequestedBooksRequest(
        borrowerID: TestUser.ada.id.description, bookIds: Array(repeating: wanted.text, count: 1_001))
      let tooMany = try await refusal { try await lending.loans.findRequestedBooks(many, .catalog) }
      #expect(tooMany.fieldReasons == ["TOO_MANY_BOOK_IDS"])
    }
  }
}
