import FieldViolations
import IdentityDomain
import IdentityStore
import TandemIdentity
import TTRPC

extension Profiles {
  /// Returns the profile of the user with a username ([ID-24]), unless one of the two has blocked the other ([C-10]).
  package func getProfile(_ call: GetProfileRequest, _ context: CallContext) async throws -> Profile {
    guard !call.username.isEmpty else {
      throw BadFields("username", "username cannot be empty", IdentityReason.usernameRequired)
    }
    let viewer = try context.userID
    guard let username = Username(call.username),
      let found = try await database.first(
        ProfileByUsername(now: clock.now, viewerID: viewer, usernameKey: username.key))
    else { throw Status.noSuchUser }
    return Profile(found.profile, isOfFellow: found.isOfFellow, to: viewer)
  }
}
