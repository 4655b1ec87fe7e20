import IdentityStore
import TTRPC
import TandemNotification

extension Notifications {
  /// Returns the channels that the caller has chosen for each kind of notification ([ID-61]).
  package func getPreferences(_ call: GetPreferencesRequest, _ context: CallContext) async throws -> Preferences {
    let owner = try context.userID
    return Preferences(try await database.rows(PreferencesOf(userID: owner)))
  }
}
