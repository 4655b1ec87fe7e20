import Identifiers

/// Why there is no link to a session.
package enum SessionShareRefusal: Error, Sendable, Hashable, CaseIterable {
  /// It was revoked, or never existed, or its session cannot be joined any more.
  case noSuchShare
  case tooManyShares
}

extension SessionFacts {
  /// Refuses all but the owner to share it: to those who take no part in it, it does not exist ([CA-15]).
  package func checkOwner(_ user: UserID) throws(SessionRefusal) {
    guard isOwn(of: user) else { throw .noSuchSession }
    guard ownerID == user else { throw .notTheOwner }
  }

  /// Whether a user may create a link to it, by which others find and join it ([CA-15]).
  package func checkShareable(by user: UserID, at now: Instant) throws(SessionRefusal) {
    try checkOwner(user)
    guard partnerID == nil else { throw .taken }
    guard slot.start > now else { throw .started }
  }
}
