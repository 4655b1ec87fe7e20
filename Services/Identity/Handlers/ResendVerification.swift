import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import TandemIdentity
import TTRPC
import Timestamps

extension Accounts {
  /// Sends the verification mail again ([ID-4]).
  ///
  /// Cooldown and response are the same for every address, so that they do not reveal whether it is registered.
  package func resendVerification(
    _ call: ResendVerificationRequest, _ context: CallContext
  ) async throws -> ResendVerificationResponse {
    let wish = try Wish(call)
    let key = context.requestKey(wish.requestID)
    if let first: ResendVerificationResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    let asked = ThrottleKey.address(of: context, .resendAddress)
    try await throttles.requireRoom([asked])
    let emailHash = Digest.sha256(wish.email.key.utf8)
    let answer = try await idempotency.execute(call, key) { tx in
      let now = environment.clock.now
      let lastSent = try await tx.first(LockedVerificationRequest(emailHash: emailHash)) ?? nil
      if let refusal = Verification.resendRefusal(lastSent: lastSent, now: now) { throw refusal }
      try await tx.execute(NoteVerificationRequest(emailHash: emailHash, now: now))
      // Counted before the limits on mail: rows are locked in this order, and all other calls that send mail wait for
      // those limits.
      try await throttles.count([asked, .email(wish.email, .resendEmail)], in: tx)
      // If a limit is reached nothing is sent and the response is the same: a refusal would reveal that the address is
      // registered.
      if let account = try await tx.first(UnverifiedAccount(email: wish.email, now: now)),
        try await throttles.take(ThrottleKey.resendMail(to: wish.email), in: tx)
      {
        try await tx.execute(
          InsertLinkMail(deliveryID: environment.newID(), userID: account, content: .emailVerification, now: now))
      }
      return ResendVerificationResponse(resendAvailableTime: (now + Lifetimes.resendCooldown).timestamp)
    }
    deliveries.wake()
    return answer
  }
}

/// The validated fields of the request.
private struct Wish {
  let email: EmailAddress
  let requestID: UUID7?

  init(_ call: ResendVerificationRequest) throws {
    var fields = Violations()
    requestID = fields.requestID(call.requestID)
    let email = fields.require("email", EmailAddress(call.email), EmailAddress.refusal, IdentityReason.emailInvalid)
    self.email = try fields.all(email)
  }
}
