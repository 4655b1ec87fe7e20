import TTRPC
import TandemEvents
import TandemLending
import TestServices
import TestSupport
import Testing

@Suite("loans whose other party does not answer")
struct DeclareTests {
  private static let day: Int64 = 86_400

  private func declare(
    _ outcome: LoanOutcome, _ loan: Loan, _ lending: RunningLending, as user: TestUser = .ada,
    validateOnly: Bool = false
  ) async throws -> Loan {
    try await lending.loans.declareLoan(
      DeclareLoanRequest(loanID: loan.loanID, outcome: outcome, validateOnly: validateOnly), user.options)
  }

  private func words(_ lending: RunningLending) async throws -> [String] {
    try await lending.told(NotificationRequested.self).map(\.word)
  }

  @Test(
    "[LE-12] D-4: after a recall and 14 days the owner declares the book lost; the borrower is told before and after")
  func lost() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let loan = try await lending.lend(book)
      #expect(loan.ownerDeclareTime == nil)
      #expect(try await refusal { try await declare(.lost, loan, lending) }.reason == "NOT_RECALLED")
      let recalled = try await lending.loans.recallLoan(RecallLoanRequest(loanID: loan.loanID), TestUser.ada.options)
      #expect(recalled.ownerDeclareTime?.seconds == lending.clock.now.wholeSeconds + 14 * Self.day)
      lending.clock.advance(by: .seconds(11 * Self.day))
      #expect(try await eventually { try await words(lending).contains("last call") })
      let early = try await refusal { try await declare(.lost, loan, lending) }
      #expect(early.code == .failedPrecondition && early.reason == "DECLARED_TOO_EARLY")
      lending.clock.advance(by: .seconds(3 * Self.day))
      #expect(try await refusal { try await declare(.lost, loan, lending, as: .grace) }.reason == "NOT_THE_OWNER")
      #expect(try await refusal { try await declare(.lost, loan, lending, as: .alan) }.reason == "LOAN_NOT_FOUND")
      #expect(try await declare(.lost, loan, lending, validateOnly: true).state == .lost)
      #expect(try await lending.status(of: book) == "BORROWED")
      #expect(try await declare(.lost, loan, lending).state == .lost)
      #expect(try await lending.status(of: book) == "AVAILABLE")
      #expect(try await lending.told(BookHoldChanged.self).map(\.onHold) == [true], "a lost book cannot be requested")
      #expect(try await refusal { try await lending.request(book) }.reason == "BOOK_ON_HOLD")
      #expect(try await words(lending) == ["requested", "accepted", "recalled", "last call", "lost"])
      let told = try #require(try await lending.told(NotificationRequested.self).last)
      #expect(told.recipientIds == [TestUser.grace.id.description] && told.subject == "loans/\(loan.loanID)")
      #expect(try await refusal { try await declare(.lost, loan, lending) }.reason == "NOT_BORROWED")
      #expect(try await refusal { try await lending.confirmReturn(loan, as: .grace) }.reason == "NOT_BORROWED")
    }
  }

  @Test(
    "[LE-10] D-4: a borrower whose confirmed return is not answered ends the loan; the owner is told before and after")
  func returned() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let loan = try await lending.lend(book)
      #expect(
        try await refusal { try await declare(.returned, loan, lending, as: .grace) }.reason == "RETURN_NOT_CONFIRMED")
      let confirmed = try await lending.confirmReturn(loan, as: .grace)
      #expect(confirmed.borrowerDeclareTime?.seconds == lending.clock.now.wholeSeconds + 14 * Self.day)
      lending.clock.advance(by: .seconds(14 * Self.day - 1))
      #expect(
        try await refusal { try await declare(.returned, loan, lending, as: .grace) }.reason == "DECLARED_TOO_EARLY")
      lending.clock.advance(by: .seconds(1))
      #expect(try await declare(.returned, loan, lending, as: .grace).state == .returned)
      #expect(try await lending.status(of: book) == "AVAILABLE")
      let told = try await lending.told(NotificationRequested.self).suffix(2)
      #expect(told.map(\.word) == ["confirmed", "back"])
      #expect(told.allSatisfy { $0.recipientIds == [TestUser.ada.id.description] })
      #expect(try await lending.request(book, as: .alan).state == .pending)
    }
  }

  @Test("[LE-10] a borrower who confirmed the return does not comment on a book that was declared lost since")
  func lateComment() async throws {
    try await RunningLending.with { lending in
      let loan = try await lending.lend(try await lending.list())
      _ = try await lending.confirmReturn(loan, as: .grace)
      _ = try await lending.loans.recallLoan(RecallLoanRequest(loanID: loan.loanID), TestUser.ada.options)
      lending.clock.advance(by: .seconds(14 * Self.day))
      #expect(try await declare(.lost, loan, lending).state == .lost)
      #expect(try await lending.confirmReturn(loan, as: .grace, comment: "It is back!").state == .lost)
      #expect(try await lending.value("select comment from loans") == nil)
      #expect(try await lending.told(ReturnCommented.self).isEmpty)
    }
  }

  @Test("[LE-12] D-4: a book that came back is neither called for nor declared lost, and no outcome is refused")
  func cameBack() async throws {
    try await RunningLending.with { lending in
      let loan = try await lending.lend(try await lending.list())
      _ = try await lending.loans.recallLoan(RecallLoanRequest(loanID: loan.loanID), TestUser.ada.options)
      let none = try await refusal { try await declare(.unspecified, loan, lending) }
      #expect(none.fieldReasons == ["OUTCOME_REQUIRED"])
      for user in [TestUser.ada, .grace] { _ = try await lending.confirmReturn(loan, as: user) }
      lending.clock.advance(by: .seconds(30 * Self.day))
      #expect(try await eventually { try await lending.value("select count(*) from jobs") == "0" })
      #expect(try await !words(lending).contains("last call"))
      #expect(try await refusal { try await declare(.lost, loan, lending) }.reason == "NOT_BORROWED")
    }
  }

  @Test("[LE-12] D-4: of a declaration and the borrower's and owner's scans at once one ends the loan")
  func race() async throws {
    try await RunningLending.with { lending in
      for _ in 0..<6 {
        let book = try await lending.list()
        let loan = try await lending.lend(book)
        _ = try await lending.loans.recallLoan(RecallLoanRequest(loanID: loan.loanID), TestUser.ada.options)
        lending.clock.advance(by: .seconds(14 * Self.day))
        _ = await lending.race(3) { loans, caller in
          switch caller {
          case 0:
            _ = try await loans.declareLoan(
              DeclareLoanRequest(loanID: loan.loanID, outcome: .lost), TestUser.ada.options)
          default:
            _ = try await loans.confirmReturn(
              ConfirmReturnRequest(loanID: loan.loanID, isbn: ListedBook.isbn),
              (caller == 1 ? TestUser.ada : .grace).options)
          }
        }
        #expect(try await lending.status(of: book) == "AVAILABLE")
        let ends = try await lending.steps(of: book).filter { $0.hasSuffix(">AVAILABLE") }
        #expect(ends.count == 1, "\(ends)")
      }
    }
  }
}
