import FieldViolations
import IdentityDomain
import IdentityStore
import TandemIdentity
import TTRPC

extension Profiles {
  /// The profile of whoever has the username ([ID-24]).
  package func getProfile(_ call: GetProfileRequest, _ context: CallContext) async throws -> Profile {
    guard !call.username.isEmpty else {
      throw BadFields("username", "username cannot be empty", "USERNAME_REQUIRED")
    }
    guard let username = Username(call.username), let stored = try await database.first(ProfileByUsername(username))
    else {
      throw Status.noSuchPerson
    }
    return Profile(stored)
  }
}
