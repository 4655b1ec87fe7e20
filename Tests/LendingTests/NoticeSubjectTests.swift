import GoogleType
import TTRPC
import TandemEvents
import TandemLending
import TestServices
import TestSupport
import Testing

@Suite("what the notices of loans lead to")
struct NoticeSubjectTests {
  private static let day: Int64 = 86_400

  /// Lends a book that is to be given back on 20 January 2026, and has it recalled.
  private func recall(_ lending: RunningLending) async throws -> Loan {
    let book = try await lending.list("Emma")
    let loan = try await lending.request(book)
    _ = try await lending.loans.acceptRequest(
      AcceptRequestRequest(
        loanID: loan.loanID, dueDate: GoogleType.Date(year: 2026, month: 1, day: 20), timeZone: "UTC"),
      TestUser.ada.options)
    for longitude in [103.8, 103.9] {
      lending.clock.advance(by: .seconds(1))
      let place = TandemLending.Pickup(place: .point(Point(latitude: 1.3, longitude: longitude)))
      _ = try await lending.loans.changePickup(
        ChangePickupRequest(loanID: loan.loanID, pickup: place), TestUser.ada.options)
    }
    for user in [TestUser.ada, .grace] { _ = try await lending.confirmHandover(loan, as: user) }
    return try await lending.loans.recallLoan(RecallLoanRequest(loanID: loan.loanID), TestUser.ada.options)
  }

  private func declare(
    _ outcome: LoanOutcome, _ loan: Loan, as user: TestUser, _ lending: RunningLending
  ) async throws {
    _ = try await lending.loans.declareLoan(
      DeclareLoanRequest(loanID: loan.loanID, outcome: outcome), user.options)
  }

  @Test("[LE-17] a notice of every kind leads each recipient to the loan or request that it is about")
  func subjects() async throws {
    try await RunningLending.with { lending in
      let lost = try await recall(lending)
      // From the 15th at noon until nine on the day before it is due, past that day, and until three days before it may be declared lost.
      for (hours, word): (Int64, String) in [(93, "due"), (3 * 24, "overdue"), (5 * 24, "last call")] {
        lending.clock.advance(by: .seconds(hours * 3_600))
        try await until("the borrower is told: \(word)") {
          try await lending.told(NotificationRequested.self).contains { $0.word == word }
        }
      }
      lending.clock.advance(by: .seconds(3 * Self.day))
      try await declare(.lost, lost, as: .ada, lending)

      let unanswered = try await lending.lend(try await lending.list("Persuasion"))
      _ = try await lending.confirmReturn(unanswered, as: .grace)
      lending.clock.advance(by: .seconds(14 * Self.day))
      try await declare(.returned, unanswered, as: .grace, lending)

      // Of two who ask one is preferred; that loan is cancelled, and the next request declined.
      let book = try await lending.list("Dune")
      let (first, second) = (
        try await lending.request(book), try await lending.request(book, as: .alan)
      )
      _ = try await lending.accept(first)
      _ = try await lending.loans.cancelLoan(CancelLoanRequest(loanID: first.loanID), TestUser.ada.options)
      let third = try await lending.request(book, as: .alan)
      _ = try await lending.loans.declineRequest(DeclineRequestRequest(loanID: third.loanID), TestUser.ada.options)

      let told = try await lending.told(NotificationRequested.self)
      let kinds: Set = [
        "requested", "declined", "accepted", "due", "overdue", "recalled", "cancelled", "moved", "named", "confirmed",
        "last call", "lost", "back",
      ]
      #expect(Set(told.map(\.word)) == kinds)
      let loans = Set([lost, unanswered, first, second, third].map { "loans/\($0.loanID)" })
      for notice in told {
        let subjects =
          notice.recipientSubjects.isEmpty ? notice.recipientIds.map { _ in notice.subject } : notice.recipientSubjects
        #expect(
          subjects.count == notice.recipientIds.count && loans.isSuperset(of: subjects), "\(notice.word): \(subjects)")
      }
      let declined = told.filter { $0.word == "declined" }.flatMap(\.recipientSubjects)
      #expect(declined.contains("loans/\(second.loanID)"), "each declined user has the own request")
    }
  }
}

@Suite("what lending says that it lacks")
struct LackTests {
  @Test("[LE-8] 31 item 9: a real service with an empty database lacks places, and says how they are loaded")
  func places() async throws {
    try await RunningLending.with { lending in
      let lacks = await lending.runtime.readiness.lacks()
      #expect(lacks.map(\.subject) == ["places"])
      #expect(lacks.first?.effect == "every address of a pickup is unknown")
      #expect(lacks.first?.cure.contains("tandem load defaults --from") == true)
      try await lending.sql(
        """
        insert into places (id, country, name, is_city, latitude, longitude, population)
        values (2950159, 'DE', 'Berlin', true, 52.5, 13.4, 3426354)
        """)
      #expect(await lending.runtime.readiness.lacks().isEmpty)
    }
  }
}
