import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Revokes one of a user's links ([MA-20]).
  package func revokeCalendarLink(_ id: CalendarLinkID, of user: UserID, _ tx: Transaction) async throws {
    guard try await tx.first(DeleteCalendarLink(linkID: id, userID: user)) != nil else {
      throw CalendarLinkRefusal.noSuchLink
    }
  }
}
