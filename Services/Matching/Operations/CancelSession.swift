import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Cancels a user's part in a session ([MA-6], [MA-7]).
  ///
  /// - Parameter revision: that of the session as the user knows it; `nil` for any.
  /// - Returns: what the cancellation did.
  package func cancelSession(
    _ id: SessionID, by user: UserID, expecting revision: Int32?, _ tx: Transaction
  ) async throws -> Cancellation {
    let now = try await transitions.trustedNow(tx)
    // The user before the session, as a bar may follow.
    _ = try await tx.first(LockedMember(now: now, userID: user))
    let session = try await locked(id, tx)
    let cancellation = try Cancellation.decide(session.facts, by: user, at: now)
    guard revision == nil || revision == session.revision else { throw SessionRefusal.changed }
    switch cancellation {
    case .remove: try await transitions.remove(session, of: user, tx)
    case .leave(let other, _): try await transitions.leave(session, user, to: other, tx)
    }
    try await transitions.bar(user, for: cancellation, of: id, at: now, tx)
    return cancellation
  }
}
