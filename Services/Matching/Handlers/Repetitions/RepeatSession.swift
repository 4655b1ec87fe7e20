import FieldViolations
import GoogleType
import Idempotency
import Identifiers
import MatchingDomain
import MatchingOperations
import MatchingStore
import TTRPC
import TandemMatching

extension Repetitions {
  /// Repeats a session of the caller every week.
  package func repeatSession(_ call: RepeatSessionRequest, _ context: CallContext) async throws -> Repetition {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.sessionID(call.sessionID)
    let until = bad.lastDay(call.untilDate)
    let id = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      try Repetition(try await operations.repeatSession(id, by: user, until: until, tx))
    }
  }
}

extension Violations {
  fileprivate mutating func lastDay(_ wire: GoogleType.Date?) -> CivilDate? {
    guard let wire else { return nil }
    return require(
      "until_date", CivilDate(year: Int(wire.year), month: Int(wire.month), day: Int(wire.day)),
      "There is no such day", MatchingReason.untilInvalid)
  }
}
