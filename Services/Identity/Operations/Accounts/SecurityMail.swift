import Environment
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres

/// Mails owners of accounts what changed about how their account is reached and logged in to ([ID-16]).
///
/// The mail is stored in the transaction of the change: exactly one for each change, and none without it.
package struct SecurityMail: Sendable {
  private let environment: Environment
  private let deliveries: any DeliverySignalling

  package init(environment: Environment, deliveries: any DeliverySignalling) {
    (self.environment, self.deliveries) = (environment, deliveries)
  }

  /// Queues a mail about the effect of a call, with its client's address and the label of its session.
  ///
  /// - Parameters:
  ///   - recipient: `nil` for the address that the account has at this point of the transaction.
  ///   - session: the session that did it; `nil` for that of the call, if it has one.
  ///   - detail: the name or address that the mail mentions.
  ///   - change: the change of the address that a link in the mail undoes.
  package func send(
    _ kind: SecurityNoticeKind, to account: UserID, at recipient: String? = nil, by origin: CallOrigin,
    of session: SessionID? = nil, about detail: String = "", undoing change: EmailChangeID? = nil, in tx: Transaction
  ) async throws {
    try await tx.execute(
      InsertSecurityNotice(
        deliveryID: environment.newID(), recipient: recipient, emailChangeID: change, now: environment.clock.now,
        userID: account, kind: kind, address: origin.address, sessionID: session ?? origin.session, detail: detail))
    tx.afterCommit { [deliveries] in deliveries.wake() }
  }
}
