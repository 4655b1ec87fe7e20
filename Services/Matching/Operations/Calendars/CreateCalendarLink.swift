import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Creates a link by which anyone who has its secret reads a user's sessions ([MA-20]).
  ///
  /// - Parameter hash: that of the secret, which is not stored.
  package func createCalendarLink(
    for user: UserID, secretHash hash: [UInt8], _ tx: Transaction
  ) async throws -> StoredCalendarLink {
    try await tx.enter(user, at: environment.clock.now)
    let insert = InsertCalendarLink(
      linkID: environment.newID(), userID: user, tokenHash: hash, now: environment.clock.now)
    guard let link = try await tx.first(insert) else { throw CalendarLinkRefusal.tooManyLinks }
    return link
  }
}
