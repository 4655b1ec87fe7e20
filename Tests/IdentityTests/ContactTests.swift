import TTRPC
import TandemIdentity
import Testing

@Suite("contact information")
struct ContactTests {
  @Test("[ID-23] the owner shows the contact information to everybody, to groups in common, or to nobody")
  func contact() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.member(.grace))
      let eve = try await identity.member(.eve)
      let id = try await identity.group(of: ada)
      try await identity.add(.grace, to: id, by: ada)
      func seen(by viewer: LoginResponse) async throws -> String? {
        let profile = try await identity.profiles.getProfile(GetProfileRequest(username: "ada"), .user(viewer))
        let found = try await identity.profiles.searchProfiles(SearchProfilesRequest(prefix: "ada"), .user(viewer))
        #expect(found.profiles == [profile])
        return profile.contact?.email
      }
      func restrict(_ visibility: ContactVisibility) async throws {
        _ = try await identity.profiles.updateProfile(
          UpdateProfileRequest(
            profile: Profile(contact: ContactInformation(visibility: visibility)),
            updateMask: .init(paths: ["contact.visibility"])), .user(ada))
      }

      #expect(try await seen(by: eve) == User.ada.email)
      try await restrict(.groupsInCommon)
      #expect(try await seen(by: eve) == nil)
      #expect(try await seen(by: grace) == User.ada.email)
      try await restrict(.nobody)
      #expect(try await seen(by: grace) == nil)
      #expect(try await seen(by: ada) == User.ada.email)
      // A client that does not know the field opens nothing.
      _ = try await identity.profiles.updateProfile(
        UpdateProfileRequest(
          profile: Profile(contact: ContactInformation(phone: "+6561234567")), updateMask: .init(paths: ["contact"])),
        .user(ada))
      #expect(try await seen(by: grace) == nil)
      try await restrict(.everyone)
      #expect(try await seen(by: eve) == User.ada.email)
    }
  }
}
