import Base64
import Cryptography
import Foundation
import ServiceRuntime
import TTRPC
import TandemIdentity
import TestServices
import TestSupport
import Testing

@testable import identity

/// The real service, which polls other replicas' keys continuously.
private struct WatchfulIdentity: TandemService {
  static let service = Identity.service

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try Identity.build(runtime, passwords: PasswordHasher(.cheapForTests), keyLook: .milliseconds(20))
  }
}

@Suite("rotation of the keys of access tokens", .timeLimit(.minutes(5)))
struct KeyRotationTests {
  private struct Stage: Sendable {
    let identity: RunningIdentity
    let certificates: SuiteCertificates

    /// Rotates as an operator.
    func rotate(as caller: String = "operator", requestID: String = "") async throws -> TandemIdentity.VerificationKey {
      try await identity.with(client: caller, certificates) { client in
        let answer = try await OperatorsClient(client).rotateSigningKey(RotateSigningKeyRequest(requestID: requestID))
        return try #require(answer.key)
      }
    }

    func published() async throws -> [String] {
      try await identity.accounts.listKeys(ListKeysRequest()).keys.map(\.keyID)
    }

    /// A login whose token a key has signed, once it signs.
    func login(signedBy key: String) async throws -> LoginResponse {
      try await eventually("the key signs") {
        let login = try await identity.accounts.login(User.ada.login)
        return try KeyRotationTests.key(of: login.accessToken) == key ? login : nil
      }
    }
  }

  private func with(_ body: @escaping @Sendable (Stage, TestDatabase) async throws -> Void) async throws {
    let certificates = try SuiteCertificates()
    try await TestDatabase.with([RunningIdentity.schema, Keeper.schema]) { database in
      try await RunningIdentity.with(
        WatchfulIdentity.self, on: database, clock: ManualClock(), certificates: certificates
      ) { identity in
        // The first key was made when the service started; none is made at the same moment.
        identity.clock.advance(by: .seconds(1))
        try await body(Stage(identity: identity, certificates: certificates), database)
      }
    }
  }

  /// The id of the key that a token names.
  private static func key(of token: String) throws -> String {
    struct Header: Decodable { let kid: String }
    let header = try #require(token.split(separator: ".").first.flatMap { Base64URL.decode(String($0)) })
    return try JSONDecoder().decode(Header.self, from: Data(header)).kid
  }

  @Test(
    "[ID-5] [ID-7] a rotation logs nobody out: both keys' tokens are good everywhere, the old one's until they expire")
  func rotates() async throws {
    try await with { stage, database in
      let (identity, clock) = (stage.identity, stage.identity.clock)
      let early = try await identity.loggedIn()
      let old = try Self.key(of: early.accessToken)

      let new = try await stage.rotate()

      #expect(new.createTime?.seconds == clock.now.wholeSeconds + 900 && new.keyID != old)
      #expect(try await stage.published() == [new.keyID, old])
      try await RunningService.with(Keeper.self, database, stage.certificates, identity: identity) {
        (keeper) async throws in
        clock.advance(by: .seconds(899))
        let last = try await stage.login(signedBy: old)
        clock.advance(by: .seconds(1))
        let first = try await stage.login(signedBy: new.keyID)
        let refreshed = try await identity.accounts.refresh(RefreshRequest(refreshToken: early.refreshToken))

        #expect(try Self.key(of: refreshed.accessToken) == new.keyID)
        for token in [last.accessToken, first.accessToken, refreshed.accessToken] {
          _ = try await identity.accounts.listSessions(ListSessionsRequest(), .token(token))
          #expect(try await keeper.call(.token(token)) == early.userID)
        }
        clock.advance(by: .seconds(598))
        #expect(try await keeper.caller(last) == early.userID)
        #expect(try await identity.sessions(last).count > 1)
        clock.advance(by: .seconds(1))
        let (here, there) = (try await refusal { try await identity.sessions(last) }, try await keeper.refusalOf(last))
        #expect(here.reason == "TOKEN_EXPIRED" && there?.reason == "TOKEN_EXPIRED")
      }
    }
  }

  @Test("[ID-7] a key is removed once its last token has long expired")
  func removes() async throws {
    try await with { stage, _ in
      let old = try await stage.published()
      let new = try await stage.rotate()

      stage.identity.clock.advance(by: .seconds(900 + 600 + 3_599))
      let before = try await stage.published()
      stage.identity.clock.advance(by: .seconds(1))

      #expect(before == [new.keyID] + old)
      #expect(try await eventually { try await stage.published() == [new.keyID] })
      #expect(try await stage.identity.sql("select id from signing_keys") == [[new.keyID]])
    }
  }

  @Test("[ID-7] another replica publishes the new key too, and signs with it when its time has come")
  func replicas() async throws {
    try await with { stage, database in
      let clock = stage.identity.clock
      try await RunningIdentity.with(
        WatchfulIdentity.self, on: database, clock: clock, certificates: stage.certificates
      ) { other in
        let second = Stage(identity: other, certificates: stage.certificates)
        try await stage.identity.verified()

        let new = try await stage.rotate()

        #expect(try await eventually { try await second.published().contains(new.keyID) })
        clock.advance(by: .seconds(900))
        let login = try await second.login(signedBy: new.keyID)
        #expect(try await eventually { try await stage.identity.sessions(login).count >= 1 })
      }
    }
  }

  @Test("[ID-7] of 32 rotations at once one makes a key, and the others are told when to come back")
  func race() async throws {
    try await with { stage, _ in
      let client = stage.identity.connected(by: try stage.certificates.client(of: "identity", as: "operator"))
      let results = await withTaskGroup(of: Result<TandemIdentity.VerificationKey?, any Error>.self) { group in
        for _ in 0..<32 {
          group.addTask {
            while true {
              do {
                return .success(try await OperatorsClient(client).rotateSigningKey(RotateSigningKeyRequest()).key)
              } catch let status as Status where status.isOfBusyDatabase {
                await Task.yield()
              } catch { return .failure(error) }
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      await client.close()

      #expect(results.successes().count == 1)
      let refusals = results.refusals()
      #expect(refusals.allSatisfy { $0.code == .failedPrecondition && $0.reason == "ROTATION_UNDER_WAY" })
      #expect(refusals.count == 31 && refusals.allSatisfy { $0.retryAfter == .seconds(900) })
      #expect(try await stage.identity.value("select count(*) from signing_keys") == "2")
      let noted = try await stage.identity.value(
        "select count(*) from security_events where kind = 'KEY_MADE' and address = '127.0.0.1'")
      #expect(noted == "1")
    }
  }

  @Test("[C-4] a repeated rotation gets its first answer")
  func repeats() async throws {
    try await with { stage, _ in
      let id = "0197a5a0-3333-7000-8000-00000000000a"
      let first = try await stage.rotate(requestID: id)
      #expect(try await stage.rotate(requestID: id) == first)
      #expect(try await stage.published().count == 2)
    }
  }

  @Test("[C-1] only operators rotate")
  func access() async throws {
    try await with { stage, _ in
      let ada = try await stage.identity.loggedIn()
      let service = try await refusal { try await stage.rotate(as: "lending") }
      let user = try await refusal {
        try await OperatorsClient(stage.identity.client).rotateSigningKey(RotateSigningKeyRequest(), .user(ada))
      }

      #expect(service.code == .permissionDenied && service.reason == "CALLER_NOT_ALLOWED")
      #expect(user.code == .permissionDenied)
      #expect(try await stage.published().count == 1)
    }
  }

  @Test("[ID-7] a key that has signed for 30 days is followed by another without anybody's doing")
  func byItself() async throws {
    try await with { stage, _ in
      try await stage.identity.verified()
      let old = try await stage.published()

      stage.identity.clock.advance(by: .seconds(30 * 86_400))
      let both = try await eventually("there is a second key") { () -> [String]? in
        let keys = try await stage.published()
        return keys.count == 2 ? keys : nil
      }
      let before = try await stage.login(signedBy: old[0])
      stage.identity.clock.advance(by: .seconds(900))
      let after = try await stage.login(signedBy: both[0])

      #expect(both[1] == old[0] && before.userID == after.userID)
    }
  }
}
