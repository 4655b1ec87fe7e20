import IdentityStore
import TTRPC
import TandemNotification

extension Notifications {
  /// Counts the caller's unread notifications ([ID-60]).
  package func countUnread(_ call: CountUnreadRequest, _ context: CallContext) async throws -> CountUnreadResponse {
    let reader = try context.userID
    return CountUnreadResponse(unreadCount: try await database.first(CountUnread(userID: reader)) ?? 0)
  }
}
