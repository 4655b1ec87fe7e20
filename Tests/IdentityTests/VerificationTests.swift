import Base64
import Cryptography
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@Suite("verifying an address", .timeLimit(.minutes(5)))
struct VerificationTests {
  @Test("[ID-4] a verification link works once")
  func worksOnce() async throws {
    try await RunningIdentity.with { identity in
      let account = try await identity.accounts.register(User.ada.registration)
      let call = VerifyEmailRequest(
        token: try await identity.mailedToken(to: User.ada.email), password: User.ada.password)

      let first = try await identity.accounts.verifyEmail(call)
      let second = try await refusal { try await identity.accounts.verifyEmail(call) }

      #expect(first.userID == account.userID)
      #expect(second.code == .failedPrecondition && second.reason == "VERIFICATION_TOKEN_USED")
      #expect(try await identity.value("select verified_at is not null from accounts") == "t")
    }
  }

  @Test("[ID-4] of 32 uses of one token at once exactly one succeeds")
  func race() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.accounts.register(User.ada.registration)
      let call = VerifyEmailRequest(
        token: try await identity.mailedToken(to: User.ada.email), password: User.ada.password)

      let results = await identity.race(32) { client, _ in try await AccountsClient(client).verifyEmail(call) }

      #expect(results.successes().count == 1)
      #expect(results.refusals().map(\.reason) == Array(repeating: "VERIFICATION_TOKEN_USED", count: 31))
    }
  }

  @Test("[ID-4] a token works for 24 hours")
  func expires() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.accounts.register(User.ada.registration)
      let call = VerifyEmailRequest(
        token: try await identity.mailedToken(to: User.ada.email), password: User.ada.password)
      identity.clock.advance(by: .seconds(24 * 3_600))

      let status = try await refusal { try await identity.accounts.verifyEmail(call) }

      #expect(status.code == .failedPrecondition && status.reason == "VERIFICATION_TOKEN_EXPIRED")
    }
  }

  @Test("[ID-4] only the hash of a token is stored")
  func storedAsHash() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.accounts.register(User.ada.registration)
      let text = try await identity.mailedToken(to: User.ada.email)

      let hash = try #require(SecretToken(text)).hash.map { String($0, radix: 16) }
      let stored = try await identity.value("select encode(token_hash, 'hex') from email_verifications")
      #expect(stored == hash.map { $0.utf8.count == 1 ? "0\($0)" : $0 }.joined())
      for table in ["accounts", "email_verifications", "deliveries", "replays", "sessions"] {
        #expect(try await identity.value("select count(*) from \(table) as t where t::text like '%\(text)%'") == "0")
      }
    }
  }

  @Test("[ID-4] a token that nobody was given is not valid")
  func unknown() async throws {
    try await RunningIdentity.with { identity in
      let token = Base64URL.encode([UInt8](repeating: 1, count: 32))

      let status = try await refusal { try await identity.accounts.verifyEmail(VerifyEmailRequest(token: token)) }

      #expect(status.code == .invalidArgument && status.reason == "VERIFICATION_TOKEN_INVALID")
    }
  }

  @Test("[ID-1] a lapsed account cannot be verified, even while it has not been removed")
  func lapsed() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.accounts.register(User.ada.registration)
      // A mail that has not been sent within a day is not sent any more.
      _ = try await identity.mailedToken(to: User.ada.email)
      identity.clock.advance(by: .seconds(7 * 86_400 - 60))
      _ = try await identity.accounts.resendVerification(ResendVerificationRequest(email: User.ada.email))
      let call = VerifyEmailRequest(token: try await identity.mailedToken(to: User.ada.email, mail: 2))
      identity.clock.advance(by: .seconds(60))

      let status = try await refusal { try await identity.accounts.verifyEmail(call) }

      #expect(status.code == .invalidArgument && status.reason == "VERIFICATION_TOKEN_INVALID")
      #expect(try await identity.value("select verified_at is null from accounts") == "t")
    }
  }

  @Test("[ID-4] another mail may be asked for after 60 seconds, and its token replaces the first")
  func resends() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.accounts.register(User.ada.registration)
      let first = try await identity.mailedToken(to: User.ada.email)
      let call = ResendVerificationRequest(email: "ADA@example.com")

      identity.clock.advance(by: .seconds(59))
      let early = try await refusal { try await identity.accounts.resendVerification(call) }
      identity.clock.advance(by: .seconds(1))
      let answer = try await identity.accounts.resendVerification(call)
      let second = try await identity.mailedToken(to: User.ada.email, mail: 2)

      #expect(early.code == .resourceExhausted && early.reason == "VERIFICATION_COOLDOWN")
      #expect(early.retryAfter == .seconds(1))
      #expect(answer.resendAvailableTime?.seconds == identity.clock.now.wholeSeconds + 60)
      let old = try await refusal { try await identity.accounts.verifyEmail(VerifyEmailRequest(token: first)) }
      #expect(old.reason == "VERIFICATION_TOKEN_INVALID")
      _ = try await identity.accounts.verifyEmail(VerifyEmailRequest(token: second, password: User.ada.password))
    }
  }

  @Test(
    "[ID-17] D-2: an address gets three further mails at once and then one in two hours, from wherever they are asked for"
  )
  func resendsOfRecipient() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.accounts.register(User.ada.registration)
      var refused: [Status] = []
      for email in [User.ada.email, "stranger@example.com"] {
        for _ in 0..<5 {
          identity.clock.advance(by: .seconds(60))
          do {
            _ = try await identity.accounts.resendVerification(ResendVerificationRequest(email: email))
          } catch let status as Status { refused.append(status) }
        }
      }
      _ = try await identity.mailedToken(to: User.ada.email, mail: 4)
      identity.clock.advance(by: .seconds(2 * 3_600))
      _ = try await identity.accounts.resendVerification(ResendVerificationRequest(email: User.ada.email))
      let token = try await identity.mailedToken(to: User.ada.email, mail: 5)

      #expect(refused.count == 4 && refused.allSatisfy { $0.reason == "VERIFICATION_COOLDOWN" })
      #expect(refused.allSatisfy { $0.code == .resourceExhausted && $0.retryAfter.map { $0 > .seconds(60) } == true })
      _ = try await identity.accounts.verifyEmail(VerifyEmailRequest(token: token, password: User.ada.password))
    }
  }

  @Test("[ID-4] asking for another mail does not tell who is registered")
  func resendTellsNothing() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      identity.clock.advance(by: .seconds(60))
      for email in [User.ada.email, "stranger@example.com"] {
        let call = ResendVerificationRequest(email: email)

        let answer = try await identity.accounts.resendVerification(call)
        let again = try await refusal { try await identity.accounts.resendVerification(call) }

        #expect(answer.resendAvailableTime?.seconds == identity.clock.now.wholeSeconds + 60)
        #expect(again.reason == "VERIFICATION_COOLDOWN")
      }
      _ = try await eventually("no mail is left to be sent") {
        try await identity.value("select 1 where not exists (select from deliveries where state = 'DUE')")
      }
      #expect(try identity.mails(to: "stranger@example.com").isEmpty)
    }
  }

  @Test("[C-3] a refusal that time cures says how long to wait")
  func retryInfo() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.accounts.register(User.ada.registration)

      let status = try await refusal {
        try await identity.accounts.resendVerification(ResendVerificationRequest(email: User.ada.email))
      }

      #expect(status.errorInfo?.domain == "tandem" && status.reason == "VERIFICATION_COOLDOWN")
      #expect(status.retryAfter == .seconds(60))
    }
  }
}
