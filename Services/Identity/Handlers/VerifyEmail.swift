import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import TandemEvents
import TandemIdentity
import TTRPC

extension Accounts {
  /// Verifies an account by the token mailed to its address ([ID-4]).
  package func verifyEmail(_ call: VerifyEmailRequest, _ context: CallContext) async throws -> VerifyEmailResponse {
    let proof = try Proof(call)
    return try await idempotency.execute(call, context.requestKey(proof.requestID)) { tx in
      let now = environment.clock.now
      // A lapsed account counts as deleted, whether or not its row has been removed yet ([ID-1]).
      guard let issued = try await tx.first(LockedVerification(tokenHash: proof.token.hash)),
        Verification.holdsNames(registeredAt: issued.registeredAt, verifiedAt: issued.verifiedAt, now: now)
      else { throw BadFields.unknownVerificationToken }
      if let refusal = Verification.refusal(issuedAt: issued.issuedAt, usedAt: issued.usedAt, now: now) {
        throw refusal
      }
      try await tx.execute(UseVerification(now: now, tokenHash: proof.token.hash))
      if let username = try await tx.first(VerifyAccount(now: now, userID: issued.userID)) {
        try await events.publish(AccountNamed(userID: issued.userID.description, username: username), in: tx)
      }
      return VerifyEmailResponse(userID: issued.userID.description)
    }
  }
}

/// The validated fields of the request.
private struct Proof {
  let token: SecretToken
  let requestID: UUID7?

  init(_ call: VerifyEmailRequest) throws {
    var fields = Violations()
    requestID = fields.requestID(call.requestID)
    let unknown = BadFields.unknownVerificationToken.violations[0]
    let token = fields.require("token", SecretToken(call.token), unknown.description, unknown.reason)
    self.token = try fields.all(token)
  }
}
