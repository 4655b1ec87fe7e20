import Identifiers

/// What becomes of a session when a user who takes part in it deletes the account ([C-9]), or blocks the other participant ([C-10]).
package enum Departure: Sendable, Hashable {
  /// The unmatched session is removed.
  case remove
  /// The session is the other participant's and open again.
  case leave(to: UserID)
  /// The session, which has begun, fails at once; no user is barred.
  case fail(telling: UserID)

  /// - Returns: `nil` for a session that stays as it is.
  package static func byAccountDeletion(of user: UserID, from session: SessionFacts, at now: Instant) -> Departure? {
    switch session.state {
    case .open: return .remove
    case .matched:
      guard session.hasParticipant(user), let other = session.other(than: user) else { return nil }
      return session.canBeLeft(at: now) ? .leave(to: other) : .fail(telling: other)
    case .successful, .failed, .lapsed, .cancelled: return nil
    }
  }

  /// - Returns: `nil` for a session that stays as it is: one that has begun is judged as always.
  package static func byBlock(
    of blocked: UserID, by blocker: UserID, from session: SessionFacts, at now: Instant
  ) -> Departure? {
    guard session.state == .matched, session.hasParticipant(blocker), session.other(than: blocker) == blocked,
      session.canBeLeft(at: now)
    else { return nil }
    return .leave(to: blocked)
  }
}

extension SessionFacts {
  /// Whether neither its time nor a participant has come.
  fileprivate func canBeLeft(at now: Instant) -> Bool { checkedIn.isEmpty && now < slot.start }
}
