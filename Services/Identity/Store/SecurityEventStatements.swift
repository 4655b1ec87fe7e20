import Expiry
import IdentityDomain
import Identifiers
import Postgres

extension SecurityEventsBefore {
  /// - Parameters:
  ///   - start: inclusive; `nil` for the beginning.
  ///   - end: exclusive; `nil` for now.
  ///   - before: the time and the id of the last event of the previous page.
  package init(userID: UserID?, start: Instant?, end: Instant?, before: (Instant, SecurityEventID)?, limit: Int64) {
    self.init(userID: userID, start: start, end: end, before: before?.0, beforeID: before?.1, limit: limit)
  }
}

extension DeleteOldSecurityEvents: ExpiryStatement {
  package static let kept = Lifetimes.securityEvent
}
