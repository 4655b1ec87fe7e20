import Environment
import GoogleType
import Identifiers
import LendingDomain
import TTRPC
import TandemEvents
import TandemLending
import TestServices
import TestSupport
import Testing

// The clock of the tests begins at 2026-01-15T12:00:00Z.
@Suite("due dates")
struct DueTests {
  private static let day = GoogleType.Date(year: 2026, month: 1, day: 20)

  private func accept(
    _ loan: Loan, _ lending: RunningLending, due: GoogleType.Date? = day, zone: String = "Europe/Berlin"
  ) async throws -> Loan {
    try await lending.loans.acceptRequest(
      AcceptRequestRequest(loanID: loan.loanID, pickup: RunningLending.place, dueDate: due, timeZone: zone),
      TestUser.ada.options)
  }

  private func lend(_ lending: RunningLending) async throws -> Loan {
    let loan = try await accept(try await lending.request(try await lending.list()), lending)
    for user in [TestUser.ada, .grace] { _ = try await lending.confirmHandover(loan, as: user) }
    return loan
  }

  private func words(_ lending: RunningLending) async throws -> [String] {
    try await lending.told(NotificationRequested.self).map(\.word)
  }

  @Test("[LE-12] the borrower is reminded on the morning before, and told when it is overdue, each once")
  func reminders() async throws {
    try await RunningLending.with { lending in
      let loan = try await lend(lending)
      #expect(loan.dueDate == Self.day && loan.timeZone == "Europe/Berlin" && !loan.overdue)
      // 08:00 UTC is 9 in Berlin in winter.
      lending.clock.set(Instant(microseconds: 1_768_809_600_000_000 - 1))
      #expect(try await lending.value("select count(*) from jobs where kind = 'due_reminder'") == "1")
      lending.clock.set(Instant(microseconds: 1_768_809_600_000_000))
      #expect(try await eventually { try await words(lending).contains("due") })
      lending.clock.set(Instant(microseconds: 1_768_950_000_000_000))
      #expect(try await eventually { try await words(lending).contains("overdue") })
      let seen = try await lending.loans.getLoan(GetLoanRequest(loanID: loan.loanID), TestUser.grace.options)
      #expect(seen.overdue)
      let told = try await words(lending)
      #expect(told == ["requested", "accepted", "due", "overdue"])
      let last = try #require(try await lending.told(NotificationRequested.self).last)
      #expect(last.recipientIds == [TestUser.grace.id.description])
    }
  }

  @Test("[LE-12] 29 B1: a replica whose clock is ahead tells no borrower before the time; its jobs come again")
  func clockAhead() async throws {
    try await RunningLending.with { lending in
      lending.clock.set(SystemClock().now)
      let due = CivilDate(daysSince1970: Int(lending.clock.now.wholeSeconds / 86_400) + 3)
      let loan = try await accept(
        try await lending.request(try await lending.list()), lending,
        due: GoogleType.Date(year: Int32(due.year), month: Int32(due.month), day: Int32(due.day)), zone: "UTC")
      for user in [TestUser.ada, .grace] { _ = try await lending.confirmHandover(loan, as: user) }
      lending.clock.advance(by: .seconds(5 * 86_400))
      try await until("both jobs were put off") {
        try await lending.value(
          "select count(*) from jobs where due_at > to_timestamp(\(lending.clock.now.microseconds) / 1000000.0)") == "2"
      }
      #expect(try await words(lending) == ["requested", "accepted"])
    }
  }

  @Test("[LE-12] who gave the book back is not reminded, nor who said so and waits for the owner")
  func returned() async throws {
    try await RunningLending.with { lending in
      let loan = try await lend(lending)
      _ = try await lending.confirmReturn(loan, as: .grace)
      lending.clock.advance(by: .seconds(30 * 86_400))
      #expect(try await eventually { try await lending.value("select count(*) from jobs") == "0" })
      #expect(try await words(lending) == ["requested", "accepted", "confirmed"])
    }
  }

  @Test("[LE-12] a reminder that the service was away for is left out when the day is over")
  func late() async throws {
    try await RunningLending.with { lending in
      _ = try await lend(lending)
      lending.clock.advance(by: .seconds(30 * 86_400))
      #expect(try await eventually { try await words(lending).contains("overdue") })
      #expect(try await eventually { try await lending.value("select count(*) from jobs") == "0" })
      #expect(try await !words(lending).contains("due"))
    }
  }

  @Test("[LE-12] a book that is handed over after the hour of the reminder has its reminder at once")
  func lateHandover() async throws {
    try await RunningLending.with { lending in
      let loan = try await accept(try await lending.request(try await lending.list()), lending)
      // 10 in Berlin, on the day before.
      lending.clock.set(Instant(microseconds: 1_768_813_200_000_000))
      for user in [TestUser.ada, .grace] { _ = try await lending.confirmHandover(loan, as: user) }
      #expect(try await eventually { try await words(lending).contains("due") })
      #expect(try await words(lending) == ["requested", "accepted", "due"])
    }
  }

  @Test(
    "[LE-12] on a day of 23 or 25 hours a book has its reminder until the day before is over, and not after that",
    arguments: [
      // The day of 25 hours ends at 23:00Z and began at 22:00Z of the day before.
      (GoogleType.Date(year: 2026, month: 10, day: 25), 1_792_879_199, true),
      (GoogleType.Date(year: 2026, month: 10, day: 25), 1_792_881_000, false),
      // The day of 23 hours ends at 22:00Z and began at 23:00Z of the day before.
      (GoogleType.Date(year: 2026, month: 3, day: 29), 1_774_737_000, true),
      (GoogleType.Date(year: 2026, month: 3, day: 29), 1_774_738_800, false),
    ])
  func reminderAroundChangeOfClocks(day: GoogleType.Date, handover: Int64, isReminded: Bool) async throws {
    try await RunningLending.with { lending in
      let loan = try await accept(try await lending.request(try await lending.list()), lending, due: day)
      lending.clock.set(Instant(microseconds: handover * 1_000_000))
      for user in [TestUser.ada, .grace] { _ = try await lending.confirmHandover(loan, as: user) }
      let reminders = try await lending.value("select count(*) from jobs where kind = 'due_reminder'")
      let overdue = try await lending.value("select count(*) from jobs where kind = 'overdue_notice'")
      #expect(overdue == "1")
      if isReminded {
        #expect(try await eventually { try await words(lending).contains("due") })
      } else {
        #expect(reminders == "0")
      }
    }
  }

  @Test("[C-2] the zone and the loan are judged although the day is none")
  func judgedTogether() async throws {
    try await RunningLending.with { lending in
      let day = GoogleType.Date(year: 2026, month: 2, day: 30)
      let call = AcceptRequestRequest(
        loanID: TestUser.ada.id.description, pickup: RunningLending.place, dueDate: day, timeZone: "Nowhere/Else")
      let refused = try await refusal { try await lending.loans.acceptRequest(call, TestUser.ada.options) }
      #expect(refused.fieldReasons == ["DUE_DATE_INVALID", "TIME_ZONE_UNKNOWN", "LOAN_NOT_FOUND"])
      let alone = AcceptRequestRequest(loanID: TestUser.ada.id.description, pickup: RunningLending.place)
      let missing = try await refusal { try await lending.loans.acceptRequest(alone, TestUser.ada.options) }
      #expect(missing.code == .notFound && missing.reason == "LOAN_NOT_FOUND")
    }
  }

  @Test("[LE-12] the owner asks for the book back; the borrower is told once")
  func recall() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let loan = try await lending.accept(try await lending.request(book))
      let call = RecallLoanRequest(loanID: loan.loanID)
      let early = try await refusal { try await lending.loans.recallLoan(call, TestUser.ada.options) }
      #expect(early.code == .failedPrecondition && early.reason == "NOT_BORROWED")
      for user in [TestUser.ada, .grace] { _ = try await lending.confirmHandover(loan, as: user) }
      let foreign = try await refusal { try await lending.loans.recallLoan(call, TestUser.grace.options) }
      #expect(foreign.code == .permissionDenied && foreign.reason == "NOT_THE_OWNER")
      for _ in 0..<2 { #expect(try await lending.loans.recallLoan(call, TestUser.ada.options).recallTime != nil) }
      #expect(try await words(lending) == ["requested", "accepted", "recalled"])
      #expect(try await lending.steps(of: book).last == "RECALL BORROWED>BORROWED")
    }
  }

  @Test(
    "[LE-12] a due date is a day from tomorrow on in a zone that there is",
    arguments: [
      (GoogleType.Date(year: 2026, month: 1, day: 15), "Europe/Berlin", "DUE_DATE_INVALID"),
      (GoogleType.Date(year: 2028, month: 1, day: 15), "Europe/Berlin", "DUE_DATE_INVALID"),
      (GoogleType.Date(year: 2026, month: 2, day: 30), "UTC", "DUE_DATE_INVALID"),
      (day, "Nowhere/Else", "TIME_ZONE_UNKNOWN"), (day, "", "TIME_ZONE_UNKNOWN"), (day, "CET", "TIME_ZONE_UNKNOWN"),
      (day, "Nowhere/Else+3", "TIME_ZONE_UNKNOWN"), (day, "europe/berlin", "TIME_ZONE_UNKNOWN"),
    ])
  func refusals(due: GoogleType.Date, zone: String, reason: String) async throws {
    try await RunningLending.with { lending in
      let loan = try await lending.request(try await lending.list())
      let refused = try await refusal { try await accept(loan, lending, due: due, zone: zone) }
      #expect(refused.code == .invalidArgument && refused.fieldReasons == [reason])
      // It is the 16th already where the day begins first.
      let tomorrow = GoogleType.Date(year: 2026, month: 1, day: 16)
      lending.clock.set(Instant(microseconds: 1_768_521_600_000_000 - 1))
      let over = try await refusal { try await accept(loan, lending, due: tomorrow, zone: "Pacific/Auckland") }
      #expect(over.reason == "DUE_DATE_INVALID")
      #expect(try await accept(loan, lending, due: tomorrow, zone: "Europe/London").state == .accepted)
    }
  }

  @Test("[LE-12] a book is lent for at most 366 days, and the refusal says so", arguments: [(16, true), (17, false)])
  func longest(day: Int32, isTaken: Bool) async throws {
    try await RunningLending.with { lending in
      let loan = try await lending.request(try await lending.list())
      let due = GoogleType.Date(year: 2027, month: 1, day: day)
      if isTaken {
        #expect(try await accept(loan, lending, due: due, zone: "UTC").dueDate == due)
      } else {
        let refused = try await refusal { try await accept(loan, lending, due: due, zone: "UTC") }
        #expect(refused.fieldReasons == ["DUE_DATE_INVALID"])
        #expect(refused.badRequest?.fieldViolations.first?.description.contains("within 366 days") == true)
      }
    }
  }

  @Test("[C-2] an acceptance names every bad field at once, the day and the zone too")
  func everyField() async throws {
    try await RunningLending.with { lending in
      let day = GoogleType.Date(year: 2026, month: 2, day: 30)
      // The place may be left for later, but one that is named is a point or an address.
      let call = AcceptRequestRequest(
        loanID: "x", pickup: TandemLending.Pickup(), dueDate: day, timeZone: "CET", requestID: "y")
      let refused = try await refusal { try await lending.loans.acceptRequest(call, TestUser.ada.options) }
      #expect(
        refused.fieldReasons == [
          "REQUEST_ID_INVALID", "LOAN_ID_INVALID", "PICKUP_REQUIRED", "DUE_DATE_INVALID", "TIME_ZONE_UNKNOWN",
        ])
    }
  }

  @Test(
    "[LE-12] the last day ends when its clocks first show midnight, and after a skipped midnight at the moment after the gap",
    arguments: [
      // Havana's clocks go from 01:00 back to 00:00; Beirut's go from 00:00 to 01:00.
      ("America/Havana", GoogleType.Date(year: 2026, month: 10, day: 31), "2026-11-01 04:00:00+00"),
      ("Asia/Beirut", GoogleType.Date(year: 2026, month: 3, day: 28), "2026-03-28 22:00:00+00"),
    ])
  func changeOfClocks(zone: String, day: GoogleType.Date, end: String) async throws {
    try await RunningLending.with { lending in
      _ = try await accept(try await lending.request(try await lending.list()), lending, due: day, zone: zone)
      #expect(try await lending.value("select due_ends_at = '\(end)' from loans") == "t")
    }
  }

  @Test("[LE-12] a zone without summer time is one too, and of a rehearsed acceptance nothing stays")
  func fixedZone() async throws {
    try await RunningLending.with { lending in
      let book = try await lending.list()
      let loan = try await lending.request(book)
      let dryRun = AcceptRequestRequest(
        loanID: loan.loanID, pickup: RunningLending.place, dueDate: Self.day, timeZone: "Etc/GMT+5", validateOnly: true)
      #expect(try await lending.loans.acceptRequest(dryRun, TestUser.ada.options).timeZone == "Etc/GMT+5")
      #expect(try await lending.status(of: book) == "REQUESTED")
      #expect(try await lending.told(NotificationRequested.self).count == 1)
    }
  }
}
