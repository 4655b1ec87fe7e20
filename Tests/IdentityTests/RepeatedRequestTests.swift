import TTRPC
import TandemIdentity
import TestSupport
import Testing

@Suite("repeated requests", .timeLimit(.minutes(5)))
struct RepeatedRequestTests {
  static let id = "0197a5a0-1111-7000-8000-00000000000a"

  static var registration: RegisterRequest {
    var call = User.ada.registration
    call.requestID = id
    return call
  }

  @Test("[C-4] the same id and body again give the first answer and do nothing")
  func repeats() async throws {
    try await RunningIdentity.with { identity in
      let first = try await identity.accounts.register(Self.registration)
      identity.clock.advance(by: .seconds(3_600))

      let second = try await identity.accounts.register(Self.registration)

      #expect(second == first)
      #expect(try await identity.value("select count(*) from accounts") == "1")
      _ = try await identity.mailedToken(to: User.ada.email)
      #expect(try identity.mails(to: User.ada.email).count == 1)
    }
  }

  @Test("[C-4] [C-8] the same id in upper case is the same id")
  func otherCase() async throws {
    try await RunningIdentity.with { identity in
      let first = try await identity.accounts.register(Self.registration)
      var call = Self.registration
      call.requestID = Self.id.uppercased()
      let second = try await identity.accounts.register(call)
      call.email = "other@example.com"
      let reused = try await refusal { [call] in try await identity.accounts.register(call) }

      #expect(second == first && reused.reason == "REQUEST_ID_REUSED")
      #expect(try await identity.value("select count(*) from accounts") == "1")
    }
  }

  @Test("[C-4] the same id with another body is REQUEST_ID_REUSED")
  func reused() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.accounts.register(Self.registration)
      var call = User.grace.registration
      call.requestID = Self.id

      let status = try await refusal { try await identity.accounts.register(call) }

      #expect(status.code == .invalidArgument && status.reason == "REQUEST_ID_REUSED")
      #expect(try await identity.value("select count(*) from accounts") == "1")
    }
  }

  @Test("[C-4] of 32 racing repetitions one runs and all get its answer")
  func race() async throws {
    try await RunningIdentity.with { identity in
      let results = await identity.race(32) { client, _ in
        try await AccountsClient(client).register(Self.registration)
      }

      let first = try #require(results.successes().first)
      #expect(results.successes() == Array(repeating: first, count: 32), "\(results.refusals())")
      #expect(try await identity.value("select count(*) from accounts") == "1")
    }
  }

  @Test("[C-4] an id is kept for 24 hours")
  func forgotten() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      var call = User.ada.login
      call.requestID = Self.id
      let first = try await identity.accounts.login(call)
      identity.clock.advance(by: .seconds(86_399))
      let same = try await identity.accounts.login(call)
      identity.clock.advance(by: .seconds(1))

      let other = try await identity.accounts.login(call)

      #expect(same == first && other.sessionID != first.sessionID)
    }
  }

  @Test("[C-4] a refused request keeps nothing and may be tried again")
  func refusedMayBeRepeated() async throws {
    try await RunningIdentity.with { identity in
      let account = try await identity.accounts.register(User.ada.registration)
      var call = User.ada.login
      call.requestID = Self.id
      let early = try await refusal { try await identity.accounts.login(call) }
      let token = try await identity.mailedToken(to: User.ada.email)
      _ = try await identity.accounts.verifyEmail(
        VerifyEmailRequest(token: token, registrationSecret: account.registrationSecret))

      let login = try await identity.accounts.login(call)

      #expect(early.reason == "EMAIL_NOT_VERIFIED" && !login.sessionID.isEmpty)
    }
  }

  @Test("[C-4] two people may use the same id")
  func callers() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(.ada), try await identity.loggedIn(.grace))
      let call = CreateProfileRequest(profile: .complete, requestID: Self.id)

      let first = try await identity.profiles.createProfile(call, .user(ada))
      let second = try await identity.profiles.createProfile(call, .user(grace))
      let again = try await identity.profiles.createProfile(call, .user(ada))

      #expect(first.username == "ada" && second.username == "grace.h" && again == first)
    }
  }

  @Test("[C-4] what is kept of a request shows neither its password nor its tokens")
  func sealed() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      var call = User.ada.login
      call.requestID = Self.id
      let login = try await identity.accounts.login(call)

      let kept = try await identity.value("select encode(sealed_answer, 'escape') from replays") ?? ""
      #expect(!kept.isEmpty)
      for secret in [login.accessToken, login.refreshToken, User.ada.password] { #expect(!kept.contains(secret)) }
    }
  }
}
