import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
import TandemEvents
import TandemIdentity
import TTRPC

extension Accounts {
  /// Verifies an account by the token mailed to its address ([ID-4]).
  package func verifyEmail(_ call: VerifyEmailRequest, _ context: CallContext) async throws -> VerifyEmailResponse {
    let proof = try Proof(call, reservedUsernames)
    return try await idempotency.execute(call, context.requestKey(proof.requestID)) { tx in
      let now = environment.clock.now
      // A lapsed account counts as deleted, whether or not its row has been removed yet ([ID-1]).
      guard try await tx.first(LockAccountOfVerification(tokenHash: proof.token.hash)) != nil,
        let issued = try await tx.first(LockedVerification(tokenHash: proof.token.hash)),
        Verification.holdsNames(registeredAt: issued.registeredAt, verifiedAt: issued.verifiedAt, now: now)
      else { throw BadFields.unknownVerificationToken }
      if let refusal = Verification.refusal(issuedAt: issued.issuedAt, usedAt: issued.usedAt, now: now) {
        throw refusal
      }
      try await tx.execute(UseVerification(now: now, tokenHash: proof.token.hash))
      _ = try await verify(issued.userID, named: proof.username, in: tx)
      return VerifyEmailResponse(userID: issued.userID.description)
    }
  }

  /// Verifies an account, unless it is verified already, and thereby gives it its username ([ID-17]).
  ///
  /// - Parameter username: another one than it was registered with; `nil` for that.
  /// - Returns: whether it was verified by this.
  /// - Throws: ``NamesTaken`` when another user has the username, or it is reserved for one.
  func verify(_ account: UserID, named username: Username?, in tx: Transaction) async throws -> Bool {
    let now = environment.clock.now
    if let username { try await tx.execute(FreeLapsedUsername(username: username, now: now)) }
    let verified = VerifyAccount(now: now, username: username?.spelling, userID: account)
    let name: String?
    do { name = try await tx.first(verified) } catch let error as PostgresError
      where UsernameConstraints.areBroken(by: error)
    {
      throw NamesTaken(email: false, username: true)
    }
    guard let name else { return false }
    try await events.publish(AccountNamed(userID: account.description, username: name), in: tx)
    return true
  }
}

extension Violations {
  /// The username that a link's holder chooses for an account, or `nil` where the field is empty.
  mutating func otherUsername(_ text: String, _ reserved: ReservedUsernames) -> Username? {
    guard !text.isEmpty else { return nil }
    let username = require("username", Username(text), Username.refusal, IdentityReason.usernameInvalid)
    refuse(username, reservedBy: reserved)
    return username
  }
}

/// The validated fields of the request.
private struct Proof {
  let token: SecretToken
  let username: Username?
  let requestID: UUID7?

  init(_ call: VerifyEmailRequest, _ reserved: ReservedUsernames) throws {
    var fields = Violations()
    requestID = fields.requestID(call.requestID)
    username = fields.otherUsername(call.username, reserved)
    let unknown = BadFields.unknownVerificationToken.violations[0]
    let token = fields.require("token", SecretToken(call.token), unknown.description, unknown.reason)
    self.token = try fields.all(token)
  }
}
