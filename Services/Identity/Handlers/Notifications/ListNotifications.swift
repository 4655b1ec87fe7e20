import FieldViolations
import IdentityStore
import Pagination
import TTRPC
import TandemNotification

extension Notifications {
  /// Lists a page of the caller's inbox, the newest first ([ID-60], [C-5]).
  package func listNotifications(
    _ call: ListNotificationsRequest, _ context: CallContext
  ) async throws -> ListNotificationsResponse {
    let reader = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: Int64.self)
    try bad.check()
    let found = try await database.rows(
      NotificationsBefore(
        userID: reader, before: page.after ?? .max, unreadOnly: call.unreadOnly, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.sequence }
    return ListNotificationsResponse(notifications: shown.map { Notification($0) }, nextPageToken: next)
  }
}
