import FieldViolations
import GoogleType
import Idempotency
import Identifiers
import LendingDomain
import LendingOperations
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
      shown(
        try await operations.acceptRequest(
          acceptance.loan, by: owner, pickup: acceptance.pickup, due: acceptance.due, tx))
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
    // Whether the zone exists is asked although the day is none.
    guard let found = try await operations.lookUpDueDate(day ?? CivilDate(daysSince1970: 0), in: zone) else {
      _ = bad.zone(nil)
      return nil
    }
    guard let day else { return nil }
    guard DueDate.isAllowed(day, today: found.today) else {
      _ = bad.day(nil)
      return nil
    }
    return DueDate(day: day, zone: zone, reminderAt: found.reminderAt, endsAt: found.endsAt)
  }
}

extension Violations {
  fileprivate mutating func day(_ day: CivilDate?) -> CivilDate? {
    require(
      "due_date", day, "A book is due from tomorrow on, and within \(DueDate.maxDays) days",
      LendingReason.dueDateInvalid)
  }

  fileprivate mutating func zone(_ zone: String?) -> String? {
    require("time_zone", zone, "There is no such zone", LendingReason.timeZoneUnknown)
  }
}
