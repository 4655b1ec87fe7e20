import TTRPC
import TandemIdentity
import TestSupport
import Testing

@Suite("passkeys", .ownThreads)
struct PasskeyTests {
  @Test("[ID-11] a passkey of either algorithm is registered, listed and logged in by", arguments: [-7, -8])
  func registersAndLogsIn(algorithm: Int) async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let start = try await identity.passkeys.startPasskeyRegistration(.init(), .user(ada))
      #expect(start.challenge.count == 32 && start.algorithms == [-8, -7] && start.username == "ada")
      #expect(start.relyingPartyID == "tandem.example" && start.excludeCredentialIds.isEmpty)
      #expect(start.expireTime?.seconds == identity.clock.now.wholeSeconds + 300)

      let (device, call) = try Authenticator.create(start, algorithm: algorithm, name: "Ada's laptop")
      let passkey = try await identity.passkeys.registerPasskey(call, .user(ada))
      identity.clock.advance(by: .seconds(60))
      let login = try await identity.logIn(device, of: ada, label: "Ada's phone")

      #expect(passkey.name == "Ada's laptop" && passkey.credentialID == device.credentialID)
      #expect(login.userID == ada.userID && login.sessionID != ada.sessionID)
      #expect(login.accessTokenExpireTime?.seconds == identity.clock.now.wholeSeconds + 600)
      let listed = try await identity.passkeys.listPasskeys(.init(), .user(login)).passkeys
      #expect(listed.map(\.id) == [passkey.id])
      #expect(listed.first?.lastUseTime?.seconds == identity.clock.now.wholeSeconds)
      _ = try await identity.accounts.refresh(RefreshRequest(refreshToken: login.refreshToken))
      let label = try await identity.value("select device_label from sessions where id = '\(login.sessionID)'")
      #expect(label == "Ada's phone")
      let next = try await identity.passkeys.startPasskeyRegistration(.init(), .user(ada))
      #expect(next.excludeCredentialIds == [device.credentialID])
    }
  }

  @Test("[ID-11] a removed passkey logs nobody in, and nobody removes another's")
  func removes() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let device = try await identity.addPasskey(ada)
      let passkey = try #require(try await identity.passkeys.listPasskeys(.init(), .user(ada)).passkeys.first)

      let foreign = try await refusal {
        try await identity.passkeys.deletePasskey(DeletePasskeyRequest(id: passkey.id), .user(grace))
      }
      _ = try await identity.passkeys.deletePasskey(DeletePasskeyRequest(id: passkey.id), .user(ada))
      let again = try await refusal {
        try await identity.passkeys.deletePasskey(DeletePasskeyRequest(id: passkey.id), .user(ada))
      }
      let login = try await refusal { try await identity.logIn(device, of: ada) }

      #expect(foreign.code == .notFound && foreign.reason == "PASSKEY_NOT_FOUND")
      #expect(again.reason == "PASSKEY_NOT_FOUND")
      #expect(login.code == .unauthenticated && login.step == "SIGNATURE")
    }
  }

  @Test("[ID-11] the start of a login asks for no name and is the same for everybody")
  func startTellsNothing() async throws {
    try await RunningIdentity.with { identity in
      let before = try await identity.passkeys.startPasskeyLogin(.init())
      _ = try await identity.addPasskey(try await identity.loggedIn())
      let after = try await identity.passkeys.startPasskeyLogin(.init())

      #expect(before.challenge != after.challenge && before.challenge.count == after.challenge.count)
      #expect(before.relyingPartyID == after.relyingPartyID && before.expireTime == after.expireTime)
    }
  }

  @Test("[ID-11] a credential id that is registered, to whomever, is refused, and of a race one is taken")
  func registeredAlready() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let users = [ada, grace]
      let id = "0102030405060708090a0b0c0d0e0f10"
      let calls = try await users.asyncMap { user in
        let start = try await identity.passkeys.startPasskeyRegistration(.init(), .user(user))
        return try Authenticator.create(start, forging: ["credential_id": id]).call
      }

      let results = await identity.race(2) { client, number in
        try await PasskeysClient(client).registerPasskey(calls[number], .user(users[number]))
      }

      #expect(results.successes().count == 1)
      #expect(results.refusals().map { $0.reason ?? "" } == ["PASSKEY_EXISTS"])
      #expect(results.refusals().first?.code == .alreadyExists)
    }
  }

  @Test("[ID-11] an account has twenty passkeys at most, in a race too")
  func twenty() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let calls = try await (0..<24).asyncMap { _ in
        let start = try await identity.passkeys.startPasskeyRegistration(.init(), .user(ada))
        return try Authenticator.create(start, algorithm: -8).call
      }

      let results = await identity.race(24) { client, number in
        try await PasskeysClient(client).registerPasskey(calls[number], .user(ada))
      }
      let start = try await refusal { try await identity.passkeys.startPasskeyRegistration(.init(), .user(ada)) }

      #expect(results.successes().count == 20)
      #expect(results.refusals().allSatisfy { $0.code == .failedPrecondition && $0.reason == "TOO_MANY_PASSKEYS" })
      #expect(start.reason == "TOO_MANY_PASSKEYS")
    }
  }

  @Test("[C-4] a repeated request_id gives the same passkey, and the same session")
  func repetition() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let start = try await identity.passkeys.startPasskeyRegistration(.init(), .user(ada))
      var (device, call) = try Authenticator.create(start)
      call.requestID = "0197a5a0-0000-4000-8000-000000000021"
      let registration = call
      let first = try await identity.passkeys.registerPasskey(registration, .user(ada))
      let second = try await identity.passkeys.registerPasskey(registration, .user(ada))
      var login = try Authenticator.get(
        try await identity.passkeys.startPasskeyLogin(.init()), by: device, of: ada.userID)
      login.requestID = "0197a5a0-0000-4000-8000-000000000022"
      let logins = await identity.race(8) { [login] client, _ in
        try await PasskeysClient(client).loginWithPasskey(login)
      }

      #expect(first == second)
      let session = try #require(logins.successes().first)
      #expect(logins.successes() == Array(repeating: session, count: 8))
    }
  }

  @Test("[C-2] labels that nobody could read are refused, and whoever is not logged in makes no passkey")
  func badInput() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let long = String(repeating: "x", count: 101)

      let name = try await refusal {
        try await identity.passkeys.registerPasskey(RegisterPasskeyRequest(name: long), .user(ada))
      }
      let label = try await refusal {
        try await identity.passkeys.loginWithPasskey(LoginWithPasskeyRequest(deviceLabel: "a\u{7}b", requestID: "x"))
      }
      let nothing = try await refusal { try await identity.passkeys.loginWithPasskey(LoginWithPasskeyRequest()) }
      let stranger = try await refusal { try await identity.passkeys.startPasskeyRegistration(.init()) }

      #expect(name.code == .invalidArgument && name.reason == "PASSKEY_NAME_INVALID" && name.fields == ["name"])
      #expect(label.fields == ["request_id", "device_label"])
      #expect(nothing.step == "CLIENT_DATA")
      #expect(stranger.code == .unauthenticated && stranger.reason == "TOKEN_MISSING")
    }
  }

  @Test("[C-9] a deleted account's passkeys go with it")
  func departure() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let device = try await identity.addPasskey(ada)
      _ = try await identity.passkeys.startPasskeyRegistration(.init(), .user(ada))

      _ = try await identity.accounts.deleteAccount(DeleteAccountRequest(password: User.ada.password), .user(ada))

      for table in ["passkeys", "passkey_challenges"] {
        #expect(try await identity.value("select count(*) from \(table)") == "0", "\(table)")
      }
      let refused = try await refusal { try await identity.logIn(device, of: ada) }
      #expect(refused.step == "SIGNATURE")
    }
  }
}
