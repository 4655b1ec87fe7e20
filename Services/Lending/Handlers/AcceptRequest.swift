import FieldViolations
import GoogleType
import Idempotency
import Identifiers
import LendingDomain
import LendingStore
import Postgres
import TTRPC
import TandemLending

extension Loans {
  /// Accepts a request and declines all others for the book, in one transaction ([LE-7]).
  package func acceptRequest(_ call: AcceptRequestRequest, _ context: CallContext) async throws -> Loan {
    let owner = try context.userID
    var bad = Violations()
    let key = context.requestKey(bad.requestID(call.requestID))
    // By now the day may have come, and the places may be others.
    if let first: Loan = try await idempotency.firstAnswer(to: call, key) { return first }
    let acceptance = try await acceptance(call, by: owner, &bad)
    return try await idempotency.execute(call, key, .init(validateOnly: call.validateOnly)) { tx in
      let (loan, book) = try await locked(acceptance.loan, tx)
      let decision = try BookStatus.accept(loan.facts, of: book.facts, by: owner)
      if book.facts.waiting > 1 { try await transitions.declineOthers(than: loan, by: owner, tx) }
      var trace = TransitionDetails()
      (trace.pickup, trace.due) = (acceptance.pickup, acceptance.due)
      let accepted = try await transitions.record(decision, on: loan, by: owner, leaving: trace, tx)
      return shown(accepted)
    }
  }

  /// The parsed request.
  private struct Acceptance {
    let loan: LoanID
    /// `nil` if the owner names it later.
    let pickup: Pickup?
    let due: DueDate?
  }

  private func acceptance(
    _ call: AcceptRequestRequest, by owner: UserID, _ bad: inout Violations
  ) async throws -> Acceptance {
    let loan = bad.loanID(call.loanID)
    var pickup: Pickup?
    if let named = call.pickup { pickup = try await self.pickup(named, &bad) }
    let due = try await dueDate(call.dueDate, in: call.timeZone, &bad)
    try await addUnknown(loan, of: owner, to: &bad)
    let id = try bad.all(loan)
    return Acceptance(loan: id, pickup: pickup, due: due)
  }

  /// The moments of a due date in its zone. For an invalid date or zone it returns `nil` and adds a violation ([LE-12]).
  private func dueDate(_ date: GoogleType.Date?, in name: String, _ bad: inout Violations) async throws -> DueDate? {
    guard let date else { return nil }
    let typed = CivilDate(year: Int(date.year), month: Int(date.month), day: Int(date.day))
    let (day, zone) = (bad.day(typed), bad.zone(DueDate.mayBeZone(name) ? name : nil))
    guard let zone else { return nil }
    do {
      // Whether the zone exists is asked although the day is none.
      let calendar = try await database.first(
        DueCalendar(
          now: environment.clock.now, zone: zone, day: day ?? CivilDate(daysSince1970: 0),
          reminderHour: Int32(DueDate.reminderHour)))
      guard let day else { return nil }
      guard let calendar, DueDate.isAllowed(day, today: calendar.today) else {
        _ = bad.day(nil)
        return nil
      }
      return DueDate(day: day, zone: zone, reminderAt: calendar.reminderAt, endsAt: calendar.endsAt)
    } catch let error as PostgresError where error.sqlState == DueCalendar.unknownZone {
      _ = bad.zone(nil)
      return nil
    }
  }
}

extension Violations {
  fileprivate mutating func day(_ day: CivilDate?) -> CivilDate? {
    require(
      "due_date", day, "A book is due from tomorrow on, and within \(DueDate.longest) days",
      LendingReason.dueDateInvalid)
  }

  fileprivate mutating func zone(_ zone: String?) -> String? {
    require("time_zone", zone, "There is no such zone", LendingReason.timeZoneUnknown)
  }
}
