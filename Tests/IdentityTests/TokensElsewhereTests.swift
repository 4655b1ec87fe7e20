import Environment
import Cryptography
import GRPCHealth
import Identifiers
import Logging
import LoopExecutor
import Postgres
import ServiceRuntime
import TTRPC
import TTRPCClient
import TandemIdentity
import TestServices
import TestSupport
import Testing
import UserTokens

@testable import identity

@Suite("access tokens at other services", .timeLimit(.minutes(5)))
struct TokensElsewhereTests {
  private func with(
    _ body: @escaping @Sendable (RunningIdentity, TestDatabase, SuiteCertificates) async throws -> Void
  ) async throws {
    try await TestDatabase.with([RunningIdentity.schema, Keeper.schema]) { database in
      let certificates = try SuiteCertificates()
      try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
        try await body(identity, database, certificates)
      }
    }
  }

  @Test("[ID-7] after a logout every other service refuses the access token")
  func logout() async throws {
    try await with { identity, database, certificates in
      let login = try await identity.loggedIn()
      let other = try await identity.accounts.login(User.ada.login)
      try await RunningService.with(Keeper.self, database, certificates, identity: identity) { keeper in
        #expect(try await keeper.caller(login) == login.userID)

        _ = try await identity.accounts.logout(LogoutRequest(), .user(login))

        let refused = try await eventually("the token is refused") { try await keeper.refusalOf(login) }
        #expect(refused.code == .unauthenticated && refused.reason == "TOKEN_REVOKED")
        #expect(try await keeper.caller(other) == login.userID)
      }
    }
  }

  @Test(
    "[ID-7] after logging out everywhere, or ending one session, every other service refuses what ended and nothing else"
  )
  func otherWaysToEnd() async throws {
    try await with { identity, database, certificates in
      let (here, lost) = (try await identity.loggedIn(), try await identity.accounts.login(User.ada.login))
      let third = try await identity.accounts.login(User.ada.login)
      try await RunningService.with(Keeper.self, database, certificates, identity: identity) { keeper in
        try await identity.revoke(lost, by: here)
        let revoked = try await eventually("the token is refused") { try await keeper.refusalOf(lost) }
        #expect(revoked.code == .unauthenticated && revoked.reason == "TOKEN_REVOKED")
        #expect(try await keeper.caller(third) == here.userID)

        _ = try await identity.accounts.logoutEverywhere(
          LogoutEverywhereRequest(scope: .otherSessions), .user(here))
        let others = try await eventually("the token is refused") { try await keeper.refusalOf(third) }
        #expect(others.reason == "TOKEN_REVOKED")
        #expect(try await keeper.caller(here) == here.userID)

        _ = try await identity.accounts.logoutEverywhere(LogoutEverywhereRequest(), .user(here))
        let last = try await eventually("the token is refused") { try await keeper.refusalOf(here) }
        #expect(last.reason == "TOKEN_REVOKED")
      }
    }
  }

  @Test("[ID-7] a service that starts later refuses it too")
  func laterStart() async throws {
    try await with { identity, database, certificates in
      let login = try await identity.loggedIn()
      _ = try await identity.accounts.logout(LogoutRequest(), .user(login))
      identity.clock.advance(by: .seconds(599))
      try await RunningService.with(Keeper.self, database, certificates, identity: identity) { keeper in
        let refused = try await refusal { try await keeper.caller(login) }
        #expect(refused.code == .unauthenticated && refused.reason == "TOKEN_REVOKED")
      }
    }
  }

  @Test("[ID-7] a transaction that stays open somewhere in the database holds no revocation up")
  func openTransaction() async throws {
    try await with { identity, database, certificates in
      let login = try await identity.loggedIn()
      try await RunningService.with(Keeper.self, database, certificates, identity: identity) { keeper in
        try await Holder(database.url).hold {
          _ = try await identity.accounts.logout(LogoutRequest(), .user(login))
          let refused = try await eventually("the token is refused") { try await keeper.refusalOf(login) }
          #expect(refused.reason == "TOKEN_REVOKED")
        }
      }
    }
  }

  @Test("[C-1] an expired token, one of nobody and none are refused as identity refuses them")
  func badTokens() async throws {
    try await with { identity, database, certificates in
      let login = try await identity.loggedIn()
      try await RunningService.with(Keeper.self, database, certificates, identity: identity) { keeper in
        let missing = try await refusal { try await keeper.call(.default) }
        let nonsense = try await refusal { try await keeper.call(.token("nonsense")) }
        identity.clock.advance(by: .seconds(600))
        let expired = try await refusal { try await keeper.caller(login) }
        #expect([missing, nonsense, expired].map(\.reason) == ["TOKEN_MISSING", "TOKEN_INVALID", "TOKEN_EXPIRED"])
      }
    }
  }

  @Test("[C-1] S-7: a token under an invented key is refused the same way every time")
  func inventedKey() async throws {
    try await with { identity, database, certificates in
      _ = try await identity.loggedIn()
      let now = identity.clock.now
      let invented = try AccessToken.sign(
        AccessClaims(
          subject: UUID7(high: 0, low: 1), session: UUID7(high: 0, low: 2), tokenID: UUID7(high: 0, low: 3),
          issuedAt: now, expiresAt: now + .seconds(60), scope: "user"),
        for: .tandem, with: SigningKey(seed: [UInt8](repeating: 1, count: 32)))
      try await RunningService.with(Keeper.self, database, certificates, identity: identity) { keeper in
        for _ in 0..<3 {
          let refused = try await refusal { try await keeper.call(.token(invented)) }
          #expect(refused.code == .unauthenticated && refused.reason == "TOKEN_INVALID")
        }
      }
    }
  }

  @Test("[ID-7] a token under a key that is new is accepted once that was fetched, one under an invented key never")
  func newKey() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let (certificates, clock) = (try SuiteCertificates(), ManualClock())
      let port = Gathered<Int>()
      try await RunningIdentity.with(on: database, clock: clock, certificates: certificates) { identity in
        port.add(identity.port)
        try await identity.verified()
      }
      let address = try #require(port.all.first)
      let loops = LoopGroup(threads: 1)
      let client = RPCClient(
        host: "127.0.0.1", port: address, security: try certificates.client(of: "identity", as: "lending"),
        on: loops.executors[0])
      let tokens = IdentityTokens(
        through: client, clock: clock, logger: Logger(label: "tokens") { _ in SwiftLogNoOpLogHandler() },
        lookingForKeysEvery: .zero)
      try await withThrowingTaskGroup { group in
        group.addTask { try await tokens.run() }
        for _ in 0..<2 {
          let here = ["--listen", "127.0.0.1:\(address)"]
          try await RunningIdentity.with(on: database, clock: clock, certificates: certificates, here) { identity in
            let login = try await identity.accounts.login(User.ada.login)
            let caller = try await eventually("the token is accepted") { Self.caller(login.accessToken, tokens) }
            #expect(caller.subject == login.userID)
            try await identity.sql("delete from signing_keys")
          }
        }
        let invented = try AccessToken.sign(
          AccessClaims(
            subject: UUID7(high: 0, low: 1), session: UUID7(high: 0, low: 2), tokenID: UUID7(high: 0, low: 3),
            issuedAt: clock.now, expiresAt: clock.now + .seconds(60), scope: "user"),
          for: .tandem, with: SigningKey(seed: [UInt8](repeating: 1, count: 32)))
        #expect(Self.caller(invented, tokens) == nil)
        group.cancelAll()
      }
      await client.close()
      try await loops.shutdown()
    }
  }

  private static func caller(_ token: String, _ tokens: IdentityTokens) -> Caller? {
    do { return try tokens.caller(provenBy: Substring(token), for: .user) } catch { return nil }
  }

  @Test("a service with methods for users does not start without identity's address, and says so")
  func noAddress() async throws {
    let settings = try Settings.resolve(
      Keeper.service.allSettings, service: "lending",
      from: SettingSources(arguments: ["--plaintext", "--database-url", "postgresql://x@127.0.0.1:1/t"]))
    let refusal = await #expect(throws: StartupError.self) {
      _ = try await ServiceHost.start(
        Keeper.self, settings: settings, logger: Logger(label: "keeper") { _ in SwiftLogNoOpLogHandler() })
    }
    #expect(refusal?.exitStatus == 2 && refusal?.lines.first?.contains("--identity-address") == true)
  }

  @Test("once it knows identity's keys, a service knows users while identity is down")
  func identityDown() async throws {
    try await TestDatabase.with([RunningIdentity.schema, Keeper.schema]) { database in
      let certificates = try SuiteCertificates()
      let (login, stopped) = (Gathered<LoginResponse>(), Gate())
      let keeperKnows = Gate()
      try await withThrowingTaskGroup { group in
        let running = Gathered<RunningIdentity>()
        let started = Gate()
        group.addTask {
          try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
            login.add(try await identity.loggedIn())
            running.add(identity)
            started.open()
            await keeperKnows.pass()
          }
          stopped.open()
        }
        await started.pass()
        let identity = try #require(running.all.first)
        let known = try #require(login.all.first)
        try await RunningService.with(Keeper.self, database, certificates, identity: identity) {
          (keeper) async throws in
          #expect(try await keeper.caller(known) == known.userID)
          keeperKnows.open()
          await stopped.pass()
          #expect(try await keeper.caller(known) == known.userID)
        }
        try await group.waitForAll()
      }
    }
  }
}
