import Identifiers
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity
import TestServices
import TestSupport
import Testing

@Suite("calls that wait for a lock", .timeLimit(.minutes(5)))
struct LockWaitTests {
  @Test("[ID-22] S-2 A2: 16 changes of one user's profile that wait for it leave others' changes and looks quick")
  func changes() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(.ada), try await identity.loggedIn(.grace))
      let id = try #require(UserID(ada.userID))
      @Sendable func change(_ zone: String) -> UpdateProfileRequest {
        UpdateProfileRequest(profile: Profile(timeZone: zone))
      }
      try await identity.database.opened(as: "identity") { own in
        let slowest = try await slowestCall(
          over: identity.clients(4), in: own,
          holding: { tx in _ = try await tx.first(LockProfile(userID: id)) },
          waiting: { client, _ in
            _ = try await ProfilesClient(client).updateProfile(change("Asia/Tokyo"), .user(ada))
          },
          other: { client, number in
            guard number.isMultiple(of: 2) else {
              _ = try await ProfilesClient(client).getProfile(GetProfileRequest(username: "ada"), .user(grace))
              return
            }
            let zone = number.isMultiple(of: 4) ? "Europe/Paris" : "Asia/Singapore"
            _ = try await ProfilesClient(client).updateProfile(change(zone), .user(grace))
          })
        #expect(slowest < .seconds(6), "\(slowest)")
      }
      #expect(try await identity.value("select count(*) from profiles where time_zone = 'Europe/Paris'") == "1")
    }
  }
}
