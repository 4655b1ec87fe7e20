import TTRPC
import TandemEvents
import TandemIdentity
import TestSupport
import Testing

@testable import identity

@Suite("leaving", .timeLimit(.minutes(5)))
struct AccountDeletionTests {
  @Test("[ID-13] deletes the account for the right password, with all that is the person's")
  func deletes() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      try await identity.verified(.grace)
      _ = try await identity.accounts.login(User.grace.login)

      let answer = try await identity.accounts.deleteAccount(
        DeleteAccountRequest(password: User.ada.password), .user(login))

      #expect(answer.deleteTime?.seconds == identity.clock.now.wholeSeconds)
      #expect(try await identity.value("select string_agg(username, ' ') from accounts") == "grace.h")
      for table in ["sessions", "email_verifications", "verification_requests"] {
        #expect(try await identity.value("select count(*) from \(table)") == "1", "\(table)")
      }
      let refused = try await refusal { try await identity.accounts.login(User.ada.login) }
      #expect(refused.reason == "CREDENTIALS_INCORRECT")
      let revoked = try await refusal { try await identity.accounts.logout(LogoutRequest(), .user(login)) }
      #expect(revoked.reason == "TOKEN_REVOKED")
      _ = try await identity.accounts.register(User.ada.registration)
    }
  }

  @Test("[ID-13] asks for the password again, and deletes nothing for a wrong one")
  func wrongPassword() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()

      let missing = try await refusal {
        try await identity.accounts.deleteAccount(DeleteAccountRequest(requestID: "x"), .user(login))
      }
      let wrong = try await refusal {
        try await identity.accounts.deleteAccount(DeleteAccountRequest(password: "wrong"), .user(login))
      }

      #expect(missing.code == .invalidArgument && missing.fields == ["request_id", "password"])
      #expect(wrong.code == .permissionDenied && wrong.reason == "PASSWORD_INCORRECT")
      #expect(try await identity.value("select count(*) from accounts") == "1")
      #expect(
        try await identity.value("select count(*) from events where type = 'tandem.events.v1.AccountDeleted'") == "0")
    }
  }

  @Test("[ID-13] of 32 calls at once one deletes, and the event is told once")
  func race() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      let call = DeleteAccountRequest(password: User.ada.password)

      let results = await identity.race(32) { client, _ in
        try await AccountsClient(client).deleteAccount(call, .user(login))
      }

      #expect(results.successes().count == 1)
      #expect(results.refusals().allSatisfy { $0.code == .unauthenticated })
      let told = try await identity.sql("select type, count(*) from events group by type order by type")
      #expect(
        told == [
          ["tandem.events.v1.AccountDeleted", "1"], ["tandem.events.v1.AccountNamed", "1"],
          ["tandem.events.v1.SessionRevoked", "1"],
        ])
    }
  }

  @Test("[ID-7] the sessions of a deleted account end at every replica")
  func otherReplicas() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      try await RunningIdentity.with(on: database, clock: clock) { one in
        try await RunningIdentity.with(on: database, clock: clock) { other in
          let login = try await one.loggedIn()
          _ = try await one.accounts.deleteAccount(
            DeleteAccountRequest(password: User.ada.password), .user(login))
          let refused = try await eventually("the other replica refuses the token") {
            let call = GetProfileRequest(username: "ada")
            let status = try await refusal { try await other.profiles.getProfile(call, .user(login)) }
            return status.code == .unauthenticated ? status : nil
          }
          #expect(refused.reason == "TOKEN_REVOKED")
        }
      }
    }
  }
}
