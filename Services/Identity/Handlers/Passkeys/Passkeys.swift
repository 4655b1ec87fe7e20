import Environment
import Cryptography
import Idempotency
import Identifiers
import IdentityDomain
import IdentityPasskeys
import IdentityOperations
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity
import Timestamps

/// Logins by passkeys; one file for each method ([ID-11]).
package struct Passkeys: PasskeysService {
  let database: Database
  let environment: Environment
  let relyingParty: RelyingParty
  let sessions: NewSessions
  let recentAuthentication: RecentAuthentication
  let loginMethods: LoginMethods
  let log: SecurityLog
  let securityMail: SecurityMail
  let idempotency: IdempotencyStore
  let throttles: Throttles

  /// The maximum number of passkeys of an account; enough for all devices of a user.
  static let maxOfAccount = 20

  /// - Parameters:
  ///   - seal: for responses that are stored for repeated requests ([C-4]).
  ///   - policies: the limits of throttles.
  package init(
    database: Database, environment: Environment, seal: Seal, tokens: AccessTokens, endedSessions: EndedSessions,
    relyingParty: RelyingParty, loginMethods: LoginMethods, deliveries: any DeliverySignalling,
    policies: ThrottlePolicies
  ) {
    self.database = database
    self.environment = environment
    self.relyingParty = relyingParty
    self.loginMethods = loginMethods
    securityMail = SecurityMail(environment: environment, deliveries: deliveries)
    sessions = NewSessions(
      database: database, environment: environment, tokens: tokens, endedSessions: endedSessions, mail: securityMail)
    recentAuthentication = RecentAuthentication(database: database, clock: environment.clock)
    log = SecurityLog(environment: environment)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
    throttles = Throttles(database: database, clock: environment.clock, policies: policies)
  }

  /// Issues a challenge, to add a passkey to `account` or to log in. Throttled, because each is stored as a row
  /// ([ID-17]).
  func newChallenge(for account: UserID?, _ context: CallContext) async throws -> [UInt8] {
    let places = ThrottleKey.passkeyStart(of: account, from: context)
    try await throttles.requireRoom(places)
    let challenge = environment.randomness.bytes(32)
    try await database.repeatableTransaction { tx in
      try await tx.execute(
        InsertChallenge(challengeHash: Digest.sha256(challenge), userID: account, now: environment.clock.now))
      // Counted last, because all other requests for challenges wait for these rows.
      try await throttles.count(places, in: tx)
    }
    return challenge
  }

  /// Runs the end of a ceremony. Its challenge is used up even if the ceremony is refused.
  ///
  /// - Parameters:
  ///   - account: the user to whom the challenge was issued; `nil` for a login.
  ///   - code: the status code of a refusal.
  func ceremony<Value>(
    _ kind: ClientData.Ceremony, _ clientData: [UInt8], of account: UserID?, refusedAs code: Code,
    _ end: (ClientData) async throws -> Value
  ) async throws -> Value {
    do {
      let client = try ClientData(clientData, of: kind)
      do { return try await end(client) } catch let refusal as PasskeyRefusal {
        // A caller without a valid challenge learns nothing about the other steps.
        throw try await useUp(client.challenge, of: account) ? refusal : .challenge
      } catch let status as Status {
        _ = try await useUp(client.challenge, of: account)
        throw status
      }
    } catch let refusal as PasskeyRefusal {
      throw Status.passkeyRefused(refusal, code)
    }
  }

  /// Uses up a challenge; returns whether it was still valid.
  private func useUp(_ challenge: [UInt8], of account: UserID?) async throws -> Bool {
    let use = UseChallenge(challengeHash: Digest.sha256(challenge), userID: account, now: environment.clock.now)
    return try await database.write(use).first == true
  }

  /// Uses up a challenge in the transaction.
  ///
  /// - Throws: ``PasskeyRefusal/challenge`` when it is not valid.
  func use(_ challenge: [UInt8], of account: UserID?, in tx: Transaction) async throws {
    let use = UseChallenge(challengeHash: Digest.sha256(challenge), userID: account, now: environment.clock.now)
    guard try await tx.first(use) == true else { throw PasskeyRefusal.challenge }
  }
}

extension Passkey {
  /// The passkey as its owner sees it.
  init(_ stored: StoredPasskey) {
    self.init(
      id: stored.id.description, name: stored.name, credentialID: stored.credentialID,
      createTime: stored.createdAt.timestamp, lastUseTime: stored.lastUsedAt?.timestamp)
  }
}
