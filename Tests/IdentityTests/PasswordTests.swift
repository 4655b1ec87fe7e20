import Cryptography
import Foundation
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@testable import identity

@Suite("new passwords")
struct PasswordTests {
  private static let new = "another-Saddle 7 paperclip"

  /// Requests a mail and returns its token.
  private func resetToken(_ identity: RunningIdentity) async throws -> String {
    let earlier = try resetMails(identity).count
    _ = try await identity.accounts.requestPasswordReset(RequestPasswordResetRequest(email: User.ada.email))
    return try await newestToken(identity, of: earlier + 1)
  }

  private func resetMails(_ identity: RunningIdentity) throws -> [String] {
    try identity.mails(to: User.ada.email).filter { $0.contains("Subject: Choose a new password") }
  }

  /// The token of the newest of so many mails, which are waited for. Mails of one moment have no order.
  private func newestToken(_ identity: RunningIdentity, of count: Int) async throws -> String {
    let mail = try await eventually("mail \(count) is there") {
      let mails = try resetMails(identity)
      return mails.count >= count ? mails.last : nil
    }
    return String(try #require(mail.split(separator: "\r\n").first { $0.utf8.count == 43 && !$0.contains(" ") }))
  }

  private func reset(_ token: String, requestID: String = "") -> ResetPasswordRequest {
    ResetPasswordRequest(token: token, newPassword: Self.new, requestID: requestID)
  }

  private func logIn(_ identity: RunningIdentity, _ password: String) async throws -> LoginResponse {
    try await identity.accounts.login(LoginRequest(emailOrUsername: "ada", password: password))
  }

  @Test("a hash has its full cost, but for tests that move the clock", arguments: ["ln=15,r=8,p=3", "ln=4,r=1,p=1"])
  func cost(expected: String) async throws {
    let file = NSTemporaryDirectory() + "tandem-clock-\(UUID().uuidString)"
    try Data(count: 8).write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    let setting = expected.hasPrefix("ln=4") ? ["--development-clock", file] : []

    try await RunningIdentity.with(Identity.self, setting) { identity in
      _ = try await identity.accounts.register(User.ada.registration)
      #expect(try await identity.value("select split_part(password_hash, '$', 3) from accounts") == expected)
    }
  }

  // MARK: Forgotten

  @Test("[ID-8] a mailed link replaces the password, ends every session and works once")
  func resets() async throws {
    try await RunningIdentity.with { identity in
      let (one, other) = (try await identity.loggedIn(), try await identity.accounts.login(User.ada.login))
      let token = try await resetToken(identity)

      let answer = try await identity.accounts.resetPassword(reset(token))

      #expect(answer.userID == one.userID)
      for login in [one, other] {
        let access = try await refusal { try await identity.accounts.logout(LogoutRequest(), .user(login)) }
        let refresh = try await refusal {
          try await identity.accounts.refresh(RefreshRequest(refreshToken: login.refreshToken))
        }
        #expect(access.reason == "TOKEN_REVOKED" && refresh.reason == "SESSION_REVOKED")
      }
      let old = try await refusal { try await identity.accounts.login(User.ada.login) }
      #expect(old.reason == "CREDENTIALS_INCORRECT")
      _ = try await logIn(identity, Self.new)
      let again = try await refusal { try await identity.accounts.resetPassword(reset(token)) }
      #expect(again.code == .failedPrecondition && again.reason == "RESET_TOKEN_USED")
      #expect(try await identity.value("select count(*) from events where topic = 'identity.sessions'") == "2")
    }
  }

  @Test("[ID-8] of 32 uses of one link exactly one succeeds, and its password counts")
  func race() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      let token = try await resetToken(identity)

      let results = await identity.race(32) { client, caller in
        _ = try await AccountsClient(client).resetPassword(
          ResetPasswordRequest(token: token, newPassword: "\(Self.new) \(caller)"))
        return caller
      }

      let winner = try #require(results.successes().first)
      #expect(results.successes().count == 1)
      #expect(results.refusals().map(\.reason) == Array(repeating: "RESET_TOKEN_USED", count: 31))
      _ = try await logIn(identity, "\(Self.new) \(winner)")
    }
  }

  @Test("[ID-8] a link works for 30 minutes, and only the newest does")
  func expires() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      let first = try await resetToken(identity)
      identity.clock.advance(by: .seconds(1))
      let second = try await resetToken(identity)
      let replaced = try await refusal { try await identity.accounts.resetPassword(reset(first)) }
      identity.clock.advance(by: .seconds(1_800))

      let expired = try await refusal { try await identity.accounts.resetPassword(reset(second)) }

      #expect(replaced.code == .invalidArgument && replaced.reason == "RESET_TOKEN_INVALID")
      #expect(expired.code == .failedPrecondition && expired.reason == "RESET_TOKEN_EXPIRED")
      _ = try await identity.accounts.login(User.ada.login)
    }
  }

  @Test("[ID-8] only the hash of a token is stored")
  func storedAsHash() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      let token = try await resetToken(identity)

      let hash = try #require(SecretToken(token)).hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      #expect(try await identity.value("select encode(token_hash, 'hex') from password_resets") == hash)
      for table in ["accounts", "password_resets", "deliveries", "replays", "jobs", "throttles"] {
        #expect(try await identity.value("select count(*) from \(table) as t where t::text like '%\(token)%'") == "0")
      }
    }
  }

  @Test("[ID-8] a reset lifts a lockout")
  func liftsLockout() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      for _ in 0..<5 { _ = try await refusal { try await logIn(identity, "wrong") } }
      let locked = try await refusal { try await identity.accounts.login(User.ada.login) }

      _ = try await identity.accounts.resetPassword(reset(try await resetToken(identity)))

      #expect(locked.reason == "LOGIN_LOCKED")
      _ = try await logIn(identity, Self.new)
    }
  }

  @Test("[ID-8] an unknown address is NOT_FOUND, in the words of the rule")
  func unknownEmail() async throws {
    try await RunningIdentity.with { identity in
      let status = try await refusal {
        try await identity.accounts.requestPasswordReset(RequestPasswordResetRequest(email: "stranger@example.com"))
      }
      let invalid = try await refusal {
        try await identity.accounts.requestPasswordReset(RequestPasswordResetRequest(email: "no address"))
      }

      #expect(status.code == .notFound && status.reason == "EMAIL_NOT_FOUND")
      #expect(status.message == "The email address is not found")
      #expect(invalid.code == .invalidArgument && invalid.reason == "EMAIL_INVALID")
    }
  }

  @Test("[ID-8] with the neutral answer nobody learns who is registered, and the mail comes all the same")
  func neutral() async throws {
    try await RunningIdentity.with(CheapIdentity.self, ["--reset-answer", "neutral"]) { identity in
      try await identity.verified()
      let known = try await identity.accounts.requestPasswordReset(
        RequestPasswordResetRequest(email: "ADA@example.com"))
      let unknown = try await identity.accounts.requestPasswordReset(
        RequestPasswordResetRequest(email: "stranger@example.com"))

      #expect(known == unknown)
      _ = try await newestToken(identity, of: 1)
      _ = try await eventually("both wishes were dealt with") {
        try await identity.value("select 1 where not exists (select from jobs)")
      }
      #expect(try identity.mails(to: "stranger@example.com").isEmpty)
    }
  }

  @Test("[ID-8] three mails in 15 minutes are enough for an address, registered or not, and ten for a client")
  func throttled() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      func ask(_ email: String) async throws -> Status? {
        do {
          _ = try await identity.accounts.requestPasswordReset(RequestPasswordResetRequest(email: email))
        } catch let status as Status { return status }
        return nil
      }
      for email in [User.ada.email, "stranger@example.com"] {
        for _ in 0..<3 { #expect(try await ask(email)?.code != .resourceExhausted) }
        let fourth = try #require(try await ask(email))
        #expect(fourth.code == .resourceExhausted && fourth.reason == "RESET_THROTTLED")
        #expect(fourth.retryAfter == .seconds(900))
      }
      for number in 0..<4 { #expect(try await ask("stranger\(number)@example.com")?.reason == "EMAIL_NOT_FOUND") }
      let eleventh = try #require(try await ask("stranger4@example.com"))
      #expect(eleventh.code == .resourceExhausted && eleventh.reason == "ADDRESS_THROTTLED")
      identity.clock.advance(by: .seconds(900))
      #expect(try await ask(User.ada.email) == nil)
    }
  }

  @Test("[ID-8] a repeated request_id is answered as the first time, and sends no second mail")
  func repeated() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      let call = RequestPasswordResetRequest(
        email: User.ada.email, requestID: "0197a5a0-0000-4000-8000-000000000011")
      for _ in 0..<5 { _ = try await identity.accounts.requestPasswordReset(call) }
      let token = try await newestToken(identity, of: 1)
      let change = reset(token, requestID: "0197a5a0-0000-4000-8000-000000000012")

      let first = try await identity.accounts.resetPassword(change)
      let second = try await identity.accounts.resetPassword(change)

      #expect(first == second)
      #expect(try await identity.value("select count(*) from deliveries where content = 'PASSWORD_RESET'") == "1")
    }
  }

  @Test("[ID-8] [C-2] a bad token and a weak password are named at once, and nothing changes")
  func badFields() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      let unknown = try await refusal {
        try await identity.accounts.resetPassword(ResetPasswordRequest(token: "x", newPassword: "weak", requestID: "x"))
      }
      let token = try await resetToken(identity)
      let weak = try await refusal {
        try await identity.accounts.resetPassword(ResetPasswordRequest(token: token, newPassword: "ada@example.com"))
      }

      #expect(unknown.fieldReasons == ["REQUEST_ID_INVALID", "RESET_TOKEN_INVALID", "PASSWORD_NOT_STRONG_ENOUGH"])
      #expect(weak.reason == "PASSWORD_NOT_STRONG_ENOUGH" && weak.message == "The password is not strong enough")
      _ = try await identity.accounts.resetPassword(reset(token))
    }
  }

  @Test("[ID-8] who follows the link has the address: it counts as verified")
  func verifies() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.accounts.register(User.ada.registration)
      _ = try await identity.mailedToken(to: User.ada.email)

      _ = try await identity.accounts.resetPassword(reset(try await resetToken(identity)))

      _ = try await logIn(identity, Self.new)
    }
  }

  @Test("[ID-8] no session survives a reset that races with 16 logins by the old password")
  func raceWithLogins() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      let token = try await resetToken(identity)

      let results = await identity.race(17) { client, caller in
        if caller == 8 {
          _ = try await AccountsClient(client).resetPassword(reset(token))
          return
        }
        _ = try await AccountsClient(client).login(User.ada.login)
      }

      #expect(
        results.refusals().allSatisfy { ["CREDENTIALS_INCORRECT", "LOGIN_LOCKED"].contains($0.reason) },
        "\(results.refusals())")
      #expect(try await identity.value("select count(*) from sessions where revoked_at is null") == "0")
    }
  }

  // MARK: Changed

  private func change(_ new: String = PasswordTests.new, old: String = User.ada.password) -> ChangePasswordRequest {
    ChangePasswordRequest(oldPassword: old, newPassword: new)
  }

  @Test("[ID-9] a change verifies the old password and ends the other sessions")
  func changes() async throws {
    try await RunningIdentity.with { identity in
      let (own, other) = (try await identity.loggedIn(), try await identity.accounts.login(User.ada.login))

      let wrong = try await refusal {
        try await identity.accounts.changePassword(change(old: "wrong"), .user(own))
      }
      _ = try await identity.accounts.changePassword(change(), .user(own))

      #expect(wrong.code == .permissionDenied && wrong.reason == "PASSWORD_INCORRECT")
      let ended = try await refusal {
        try await identity.accounts.refresh(RefreshRequest(refreshToken: other.refreshToken))
      }
      #expect(ended.reason == "SESSION_REVOKED")
      _ = try await identity.accounts.refresh(RefreshRequest(refreshToken: own.refreshToken))
      let old = try await refusal { try await identity.accounts.login(User.ada.login) }
      #expect(old.reason == "CREDENTIALS_INCORRECT")
      _ = try await logIn(identity, Self.new)
    }
  }

  @Test("[ID-9] an equal new password is refused, and every bad field is named at once")
  func refusesEqual() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()

      let equal = try await refusal {
        try await identity.accounts.changePassword(change(User.ada.password), .user(login))
      }
      let all = try await refusal {
        try await identity.accounts.changePassword(ChangePasswordRequest(requestID: "x"), .user(login))
      }

      #expect(equal.code == .invalidArgument && equal.fieldReasons == ["PASSWORD_UNCHANGED"])
      #expect(all.fieldReasons == ["REQUEST_ID_INVALID", "PASSWORD_REQUIRED", "PASSWORD_NOT_STRONG_ENOUGH"])
      _ = try await identity.accounts.login(User.ada.login)
    }
  }

  @Test("[ID-9] of 32 changes at once one succeeds, and a link that was mailed before is of no use after it")
  func raceOfChanges() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      let token = try await resetToken(identity)

      let results = await identity.race(32) { client, caller in
        _ = try await AccountsClient(client).changePassword(change("\(Self.new) \(caller)"), .user(login))
        return caller
      }

      let winner = try #require(results.successes().first)
      #expect(results.successes().count == 1)
      #expect(
        results.refusals().allSatisfy { ["PASSWORD_INCORRECT", "LOGIN_LOCKED"].contains($0.reason) },
        "\(Set(results.refusals().map(\.reason)))")
      let mailed = try await refusal { try await identity.accounts.resetPassword(reset(token)) }
      #expect(mailed.reason == "RESET_TOKEN_INVALID")
      identity.clock.advance(by: .seconds(900))
      _ = try await logIn(identity, "\(Self.new) \(winner)")
    }
  }
}
