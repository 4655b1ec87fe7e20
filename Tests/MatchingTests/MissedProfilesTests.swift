import Identifiers
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import TestSupport
import Testing
import Timestamps

@Suite("profiles after missed events")
struct MissedProfilesTests {
  @Test("[MA-3] a call looks the profile up again; until then jobs have the last known one")
  func lookUp() async throws {
    try await RunningMatching.with { matching in
      let user = Someone.one(1)
      try await matching.introduce([user])
      let profile = "select gender || level from users where id = '\(user.id)'"
      try await matching.own.write(ForgetProfiles())
      #expect(try await matching.value(profile) == "FEMALEEXPERT")
      let refused = try await refusal { try await matching.post(as: user) }
      #expect(refused.reason == "GYM_PROFILE_MISSING")
      matching.neighbours.traits.withLock {
        $0[user.id.description] = .init(
          userID: user.id.description, gender: .male, level: .beginner, updateTime: matching.clock.now.timestamp)
      }
      _ = try await matching.post(as: user)
      #expect(try await matching.value(profile) == "MALEBEGINNER")
    }
  }
}
