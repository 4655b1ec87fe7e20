import IdentityStore
import TTRPC
import TandemNotification

extension Notifications {
  /// Returns the caller's daily gym reminder; off when it was never set ([ID-63]).
  package func getReminder(_ call: GetReminderRequest, _ context: CallContext) async throws -> Reminder {
    let owner = try context.userID
    return try await database.first(ReminderOf(userID: owner)).map { Reminder($0) } ?? Reminder()
  }
}
