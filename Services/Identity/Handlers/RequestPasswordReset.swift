import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import Jobs
import TandemIdentity
import TTRPC

extension JobKind where Payload == String {
  /// Mails whoever has the address, the payload, a link to choose a new password.
  fileprivate static let resetMail = JobKind("reset_mail")
}

extension Accounts {
  /// Has a link mailed by which the account's owner can choose a new password ([ID-8]).
  ///
  /// Whose the address is, a job looks up after the answer: with the neutral answer a call does the same work for every address.
  package func requestPasswordReset(
    _ call: RequestPasswordResetRequest, _ context: CallContext
  ) async throws -> RequestPasswordResetResponse {
    let wish = try ResetWish(call)
    let key = context.requestKey(wish.requestID)
    if let first: RequestPasswordResetResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    let places = ThrottleKey.reset(of: wish.email, from: context)
    // Looked at first: who is held off locks no row.
    try await throttles.requireRoom(places)
    try await throttles.count(places)
    return try await idempotency.execute(call, key) { tx in
      let now = environment.clock.now
      if resetAnswer == .exact, try await tx.first(AccountByEmail(wish.email, now: now)) == nil {
        throw Status.unknownEmail
      }
      try await tx.schedule(Job(.resetMail, wish.email.spelling, at: now), with: jobs)
      // Last, for everybody else who asks waits for these rows. With the neutral answer a refusal would tell who is registered: the job counts.
      if resetAnswer == .exact { try await throttles.count(ThrottleKey.resetMail(to: wish.email), in: tx) }
      return RequestPasswordResetResponse()
    }
  }

  /// Makes the mails that were asked for; where the answer was neutral, only as many as may be sent to a domain and in all ([ID-17]).
  package var resetMails: JobHandler {
    .inDatabase(.resetMail) { [environment, deliveryWorker, log, resetAnswer, throttles] address, _, tx in
      let now = environment.clock.now
      guard let email = EmailAddress(address), let account = try await tx.first(AccountByEmail(email, now: now)) else {
        return
      }
      if resetAnswer == .neutral {
        // A refusal would reveal that the address is registered.
        guard try await throttles.take(ThrottleKey.resetMail(to: email), in: tx) else { return }
      }
      try await tx.execute(InsertLinkMail(.passwordReset, id: environment.newID(), to: account, now: now))
      try await log.note(.resetRequested, of: account, in: tx)
      tx.afterCommit { deliveryWorker.wake() }
    }
  }
}

/// A mail, for an address that can be mailed to.
private struct ResetWish {
  let email: EmailAddress
  let requestID: UUID7?

  init(_ call: RequestPasswordResetRequest) throws {
    var fields = Violations()
    requestID = fields.requestID(call.requestID)
    let email = fields.require("email", EmailAddress(call.email), EmailAddress.refusal, "EMAIL_INVALID")
    self.email = try fields.all(email)
  }
}
