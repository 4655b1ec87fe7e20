import struct GoogleProtobuf.Timestamp
import FieldViolations
import Identifiers
import IdentityDomain
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity
import Timestamps

extension Operators {
  /// Lists a page of the security events of an account, or of all, within a time, the latest first ([C-5]).
  package func listSecurityEvents(
    _ call: ListSecurityEventsRequest, _ context: CallContext
  ) async throws -> ListSecurityEventsResponse {
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: Instant.self, SecurityEventID.self)
    var account: UserID?
    if !call.userID.isEmpty {
      account = bad.require("user_id", UserID(call.userID), "This is no user id", IdentityReason.userIDInvalid)
    }
    let (start, end) = (bad.instant("start_time", call.startTime), bad.instant("end_time", call.endTime))
    try bad.check()
    let found = try await database.rows(
      SecurityEventsBefore(userID: account, start: start, end: end, before: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { ($0.occurredAt, $0.id) }
    return ListSecurityEventsResponse(events: shown.map { SecurityEvent($0) }, nextPageToken: next)
  }
}

extension Violations {
  /// An optional time in a request; `nil` when it is missing or, with a violation, invalid.
  fileprivate mutating func instant(_ field: String, _ time: Timestamp?) -> Instant? {
    guard let time else { return nil }
    let instant = Instant(valid: time)
    if instant == nil { add(field, "This is no time", IdentityReason.timeInvalid) }
    return instant
  }
}

extension SecurityEvent {
  /// The event as operators see it.
  init(_ stored: SecurityEventsBefore.Row) {
    self.init(
      eventID: stored.id.description, userID: stored.userID?.description ?? "",
      kind: IdentityDomain.SecurityEventKind(rawValue: stored.kind)?.wire ?? .unspecified,
      sessionID: stored.sessionID?.description ?? "", address: stored.address, occurTime: stored.occurredAt.timestamp)
  }
}
