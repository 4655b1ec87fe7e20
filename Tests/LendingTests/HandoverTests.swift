import TTRPC
import TandemEvents
import TandemLending
import TestServices
import TestSupport
import Testing

@Suite("how a book changes hands")
struct HandoverTests {
  private static let orders = [[TestUser.ada, .grace], [.grace, .ada]]

  @Test("[LE-9] owner and borrower confirm by the ISBN, in any order, and a repeat changes nothing", arguments: orders)
  func handover(order: [TestUser]) async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let loan = try await lending.accept(try await lending.request(book))
      for _ in 0..<2 {
        let first = try await lending.confirmHandover(loan, as: order[0], isbn: "0-441-17271-7")
        #expect(first.state == .accepted && first.bookStatus == .accepted)
        #expect((first.handover?.ownerTime != nil) == (order[0].name == "ada"))
        #expect((first.handover?.borrowerTime != nil) == (order[0].name == "grace.h"))
      }
      for user in order.reversed() {
        let lent = try await lending.confirmHandover(loan, as: user)
        #expect(lent.state == .borrowed && lent.bookStatus == .borrowed)
      }
      let steps = try await lending.steps(of: book).suffix(2)
      #expect(steps == ["CONFIRM_HANDOVER ACCEPTED>ACCEPTED", "HAND_OVER ACCEPTED>BORROWED"])
      let last = try #require(try await lending.told(BookStatusChanged.self).last)
      #expect(last.status == .borrowed && last.borrowerID == TestUser.grace.id.description)
    }
  }

  @Test("[LE-9] a wrong ISBN changes nothing, and one that is none is a bad field")
  func mismatch() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let loan = try await lending.accept(try await lending.request(book))
      let wrong = try await refusal { try await lending.confirmHandover(loan, as: .ada, isbn: "9780439023481") }
      #expect(wrong.code == .failedPrecondition && wrong.reason == "ISBN_MISMATCH")
      let none = try await refusal { try await lending.confirmHandover(loan, as: .ada, isbn: "123") }
      #expect(none.code == .invalidArgument && none.reason == "INVALID_ISBN" && none.fields == ["isbn"])
      #expect(try await lending.value("select handed_by_owner_at from loans") == nil)
      #expect(try await lending.steps(of: book).count == 2)
    }
  }

  @Test("[LE-9] nothing is handed over before it is accepted, by a stranger, or after it was cancelled")
  func refusals() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let loan = try await lending.request(book)
      let early = try await refusal { try await lending.confirmHandover(loan, as: .grace) }
      #expect(early.code == .failedPrecondition && early.reason == "NOT_ACCEPTED")
      _ = try await lending.accept(loan)
      let stranger = try await refusal { try await lending.confirmHandover(loan, as: .alan) }
      #expect(stranger.code == .notFound && stranger.reason == "LOAN_NOT_FOUND")
      _ = try await lending.confirmHandover(loan, as: .grace)
      _ = try await lending.loans.cancelLoan(CancelLoanRequest(loanID: loan.loanID), TestUser.ada.options)
      let late = try await refusal { try await lending.confirmHandover(loan, as: .grace) }
      #expect(late.reason == "NOT_ACCEPTED")
    }
  }

  @Test("[LE-10] after both confirmed the return the book is available, and may be asked for again", arguments: orders)
  func giveBack(order: [TestUser]) async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let loan = try await lending.lend(book)
      let wrong = try await refusal { try await lending.confirmReturn(loan, as: order[0], isbn: "9780439023481") }
      #expect(wrong.reason == "ISBN_MISMATCH")
      for _ in 0..<2 {
        #expect(try await lending.confirmReturn(loan, as: order[0]).state == .borrowed)
      }
      for user in order.reversed() {
        let back = try await lending.confirmReturn(loan, as: user)
        #expect(back.state == .returned && back.bookStatus == .unspecified)
      }
      #expect(try await lending.status(of: book) == "AVAILABLE")
      #expect(try await lending.request(book, as: .alan).state == .pending)
      let early = try await refusal { try await lending.confirmHandover(loan, as: .alan) }
      #expect(early.reason == "LOAN_NOT_FOUND")
    }
  }

  @Test("[LE-10] the borrower's comment is told once, however often they scan; an empty one is not")
  func comment() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let loan = try await lending.lend(book)
      _ = try await lending.confirmReturn(loan, as: .grace, comment: " \n ")
      #expect(try await lending.told(ReturnCommented.self).isEmpty)
      let ofOwner = try await refusal { try await lending.confirmReturn(loan, as: .ada, comment: "Mine") }
      #expect(ofOwner.code == .invalidArgument && ofOwner.reason == "COMMENT_OF_OWNER")
      let long = try await refusal {
        try await lending.confirmReturn(loan, as: .grace, comment: String(repeating: "x", count: 2_001))
      }
      #expect(long.reason == "COMMENT_INVALID")
      for comment in ["  A classic. ", "Said twice"] {
        _ = try await lending.confirmReturn(loan, as: .grace, comment: comment)
      }
      #expect(try await lending.confirmReturn(loan, as: .ada).state == .returned)
      let told = try await lending.told(ReturnCommented.self)
      #expect(told.map(\.text) == ["A classic."] && told.first?.loanID == loan.loanID)
      #expect(told.first?.authorID == TestUser.grace.id.description)
    }
  }

  @Test(
    "[LE-14] before the handover either party cancels; the book is available, and the other one is told once",
    arguments: [TestUser.ada, .grace])
  func cancel(user: TestUser) async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let loan = try await lending.accept(try await lending.request(book))
      _ = try await lending.confirmHandover(loan, as: .ada)
      let call = CancelLoanRequest(loanID: loan.loanID, requestID: "019bc186-de00-7000-8080-000000000001")
      for _ in 0..<2 { #expect(try await lending.loans.cancelLoan(call, user.options).state == .cancelled) }
      let again = try await refusal {
        try await lending.loans.cancelLoan(CancelLoanRequest(loanID: loan.loanID), user.options)
      }
      #expect(again.reason == "NOT_ACCEPTED")
      #expect(try await lending.status(of: book) == "AVAILABLE")
      let told = try await lending.told(NotificationRequested.self)
      #expect(told.map(\.word) == ["requested", "accepted", "cancelled"])
      let other = user.name == "ada" ? TestUser.grace : .ada
      #expect(told.last?.recipientIds == [other.id.description])
      #expect(told.last?.news == .loanCancelled(.init(title: "Dune", userID: user.id.description)))
      #expect(told.last?.notificationKey == "loans/\(loan.loanID)/cancel", "the same, however often it is told")
      let lent = try await lending.lend(book, to: .alan)
      let late = try await refusal {
        try await lending.loans.cancelLoan(CancelLoanRequest(loanID: lent.loanID), TestUser.ada.options)
      }
      #expect(late.code == .failedPrecondition && late.reason == "NOT_ACCEPTED")
    }
  }
}
