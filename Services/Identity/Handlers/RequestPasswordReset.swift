import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import Jobs
import TandemIdentity
import TTRPC

extension Accounts {
  /// Requests a mail with a link to choose a new password ([ID-8]).
  ///
  /// A job looks up the address after the response: with the neutral response a call does the same work for every
  /// address.
  package func requestPasswordReset(
    _ call: RequestPasswordResetRequest, _ context: CallContext
  ) async throws -> RequestPasswordResetResponse {
    let wish = try ResetWish(call)
    let key = context.requestKey(wish.requestID)
    if let first: RequestPasswordResetResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    let places = ThrottleKey.reset(of: wish.email, from: context)
    // Checked first without locking a row, in case the call is throttled.
    try await throttles.requireRoom(places)
    try await throttles.count(places)
    return try await idempotency.execute(call, key) { tx in
      let now = environment.clock.now
      if resetAnswer == .exact, try await tx.first(AccountByEmail(email: wish.email, now: now)) == nil {
        throw Status.unknownEmail
      }
      try await tx.schedule(Job(.resetMail, wish.email.spelling, at: now), with: jobs)
      // Counted last, because all other requests wait for these rows. With the neutral response the job counts, because
      // a refusal here would reveal that the address is registered.
      if resetAnswer == .exact { try await throttles.count(ThrottleKey.resetMail(to: wish.email), in: tx) }
      return RequestPasswordResetResponse()
    }
  }
}

/// The validated fields of the request.
private struct ResetWish {
  let email: EmailAddress
  let requestID: UUID7?

  init(_ call: RequestPasswordResetRequest) throws {
    var fields = Violations()
    requestID = fields.requestID(call.requestID)
    let email = fields.require("email", EmailAddress(call.email), EmailAddress.refusal, IdentityReason.emailInvalid)
    self.email = try fields.all(email)
  }
}
