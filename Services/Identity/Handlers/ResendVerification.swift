import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import TandemIdentity
import TTRPC
import Timestamps

extension Accounts {
  /// Has the verification mail sent again ([ID-4]).
  ///
  /// Cooldown and answer are the same for every address, so that they tell nobody who is registered.
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
      if let refusal = Verification.resendRefusal(lastSent: lastSent, verifiedAt: nil, now: now) { throw refusal }
      try await tx.execute(NoteVerificationRequest(emailHash: emailHash, at: now))
      // Before the mail's places, for in this order rows are locked, and everybody else who has a mail sent waits for those.
      try await throttles.count([asked], in: tx)
      // Where a limit is reached nothing is sent and the answer is the same: a refusal would reveal that the address is registered.
      if let account = try await tx.first(UnverifiedAccount(wish.email, now: now)),
        try await throttles.take(ThrottleKey.resendMail(to: wish.email), in: tx)
      {
        try await tx.execute(InsertLinkMail(.emailVerification, id: environment.newID(), to: account, now: now))
      }
      return ResendVerificationResponse(resendAvailableTime: (now + Lifetimes.resendCooldown).timestamp)
    }
    deliveryWorker.wake()
    return answer
  }
}

/// Another mail, for an address that can be mailed to.
private struct Wish {
  let email: EmailAddress
  let requestID: UUID7?

  init(_ call: ResendVerificationRequest) throws {
    var fields = Violations()
    requestID = fields.requestID(call.requestID)
    let email = fields.require("email", EmailAddress(call.email), EmailAddress.refusal, "EMAIL_INVALID")
    self.email = try fields.all(email)
  }
}
