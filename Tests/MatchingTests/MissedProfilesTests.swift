import Identifiers
import MatchingBackground
import MatchingOperations
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import TestServices
import TestSupport
import Testing
import Timestamps

extension RunningMatching {
  /// Has every profile be looked up again, as a resync does, and waits until it is done.
  func forgetProfiles() async throws {
    try await own.repeatableTransaction { tx in try await operations.scheduleForgetting(tx) }
    try await settled()
  }
}

@Suite("profiles after missed events")
struct MissedProfilesTests {
  @Test("[MA-3] a call looks the profile up again; until then jobs have the last known one")
  func lookUp() async throws {
    try await RunningMatching.with { matching in
      let user = TestUser.one(1)
      try await matching.introduce([user])
      let profile = "select gender || level from users where id = '\(user.id)'"
      try await matching.forgetProfiles()
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

  @Test("[MA-3] 29 B2: more profiles than one transaction changes are forgotten in parts, each by a run of its own")
  func parts() async throws {
    try await RunningMatching.with { matching in
      try await matching.sql(
        """
        insert into users (id, gender, level, profile_at)
        select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'FEMALE', 'EXPERT', now()
        from generate_series(1, \(SessionCleanup.rows * 2 + 1)) n
        """)
      try await matching.forgetProfiles()
      #expect(try await matching.value("select count(*) from users where profile_at > '-infinity'") == "0")
      // The transaction of a row's last change is in its `xmin`.
      #expect(try await matching.value("select count(distinct xmin::text) from users where gender is not null") == "3")
    }
  }
}
