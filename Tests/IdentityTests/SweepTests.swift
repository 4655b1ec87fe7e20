import Identifiers
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@Suite("what nobody needs any more", .timeLimit(.minutes(5)))
struct SweepTests {
  @Test("[ID-1] lapsed accounts are removed in the background, with all that is theirs")
  func sweeps() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        var call = User.ada.registration
        call.requestID = "0197a5a0-0000-4000-8000-000000000003"
        _ = try await identity.accounts.register(call)
        _ = try await identity.mailedToken(to: User.ada.email)
        try await identity.verified(.grace)
      }
      clock.advance(by: .seconds(7 * 86_400))

      // A service sweeps when it starts.
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        _ = try await eventually("everything has been removed") {
          let left = try await identity.value(
            """
            select (select count(*) from accounts where username = 'ada') + (select count(*) from replays)
              + (select count(*) from verification_requests)
            """)
          return left == "0" ? true : nil
        }
        #expect(try await identity.value("select string_agg(username, ' ') from accounts") == "grace.h")
      }
    }
  }
}
