import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import TTRPC
import TandemIdentity
import Timestamps

extension Accounts {
  /// Mails a link to the address that the caller wants for their account ([ID-15]).
  ///
  /// Work and response are the same whether or not another account has the address, so that they do not reveal it: the
  /// mail is decided on when it is sent.
  package func requestEmailChange(
    _ call: RequestEmailChangeRequest, _ context: CallContext
  ) async throws -> RequestEmailChangeResponse {
    let (account, session) = (try context.userID, try context.loginSessionID)
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let typed = bad.require("email", EmailAddress(call.email), EmailAddress.refusal, IdentityReason.emailInvalid)
    let email = try bad.all(typed)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      let now = environment.clock.now
      // The account is locked first, so that a session which ends at this moment requests nothing afterwards.
      guard let owner = try await tx.first(LockedAccount(userID: account)) else { throw Status.notAUser }
      try await recentAuthentication.require(context, in: tx)
      guard owner.emailKey != email.key else { throw BadFields.emailUnchanged }
      try await tx.execute(DropPendingEmailChange(userID: account))
      // Strangers who ask for the address must not keep its owner from getting it: further mail waits, and goes as one.
      let wait = try await throttles.countOrWait(.email(email, .emailChangeTarget), in: tx)
      try await tx.execute(
        InsertEmailChange(
          environment.newID(), of: account, to: email, by: session, deliveryID: environment.newID(), now: now,
          mailDueAt: now + wait))
      try await log.note(.emailChangeRequested, of: account, session: session, by: context.origin, in: tx)
      try await securityMail.send(.emailChangeRequested, to: account, by: context.origin, about: email.spelling, in: tx)
      // Counted last, because other requests wait for the rows of the domain and of all.
      try await throttles.count(ThrottleKey.emailChange(of: account, to: email), in: tx)
      return RequestEmailChangeResponse(confirmationExpireTime: (now + Lifetimes.emailConfirmation).timestamp)
    }
  }
}
