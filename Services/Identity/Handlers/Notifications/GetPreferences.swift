import IdentityStore
import TTRPC
import TandemNotification

extension Notifications {
  /// By which channels the caller wants each kind ([ID-61]).
  package func getPreferences(_ call: GetPreferencesRequest, _ context: CallContext) async throws -> Preferences {
    let owner = try context.userID
    return Preferences(try await database.rows(PreferencesOf(owner)))
  }
}
