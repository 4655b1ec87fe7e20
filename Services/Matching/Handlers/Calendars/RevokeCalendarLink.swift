import FieldViolations
import Idempotency
import Identifiers
import MatchingDomain
import MatchingOperations
import TTRPC
import TandemMatching

extension Calendars {
  /// Revokes one of the caller's links.
  package func revokeCalendarLink(
    _ call: RevokeCalendarLinkRequest, _ context: CallContext
  ) async throws -> RevokeCalendarLinkResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.require(
      "link_id", CalendarLinkID(call.linkID), "This is not the id of a link", MatchingReason.calendarLinkIDInvalid)
    let id = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await operations.revokeCalendarLink(id, of: user, tx)
      return RevokeCalendarLinkResponse()
    }
  }
}
