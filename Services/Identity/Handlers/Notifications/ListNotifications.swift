import IdentityStore
import TTRPC
import TandemNotification

extension Notifications {
  /// A page of the caller's inbox, the newest first ([ID-60], [C-5]).
  package func listNotifications(
    _ call: ListNotificationsRequest, _ context: CallContext
  ) async throws -> ListNotificationsResponse {
    let reader = try context.accountID
    let size = try PageTokens.size(call.pageSize)
    let selection: NotificationSelection = call.unreadOnly ? .unread : .all
    let list = "\(context.method.fullName) \(reader) \(selection.rawValue)"
    let last = try pages.last(call.pageToken, of: list)
    // One more than the page has, to know whether there is another.
    let found = try await database.rows(
      NotificationsBefore(of: reader, before: last ?? .max, selection, limit: size + 1))
    let page = found.prefix(size)
    let hasMore = found.count > size
    return ListNotificationsResponse(
      notifications: page.map { Notification($0) },
      nextPageToken: try hasMore ? page.last.map { try pages.token(after: $0.sequence, of: list) } ?? "" : "")
  }
}
