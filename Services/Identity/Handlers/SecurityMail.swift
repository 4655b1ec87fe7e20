import ClientAddresses
import Environment
import IdentityDomain
import IdentityStore
import Identifiers
import Postgres
import TTRPC

/// Mails owners of accounts what changed about how their account is reached and logged in to ([ID-16]).
///
/// The mail is stored in the transaction of the change: exactly one for each change, and none without it.
struct SecurityMail: Sendable {
  let environment: Environment
  let deliveryWorker: DeliveryWorker

  /// Queues a mail about the effect of a call, with its client's address and the label of its session.
  ///
  /// - Parameters:
  ///   - recipient: `nil` for the address that the account has at this point of the transaction.
  ///   - session: the session that did it; `nil` for that of the call, if it has one.
  ///   - detail: the name or address that the mail mentions.
  ///   - change: the change of the address that a link in the mail undoes.
  func send(
    _ kind: SecurityNoticeKind, to account: UserID, at recipient: String? = nil, by context: CallContext,
    of session: SessionID? = nil, about detail: String = "", undoing change: EmailChangeID? = nil, in tx: Transaction
  ) async throws {
    let own = context.caller?.sessionID.flatMap { SessionID($0) }
    try await tx.execute(
      InsertSecurityNotice(
        deliveryID: environment.newID(), recipient: recipient, emailChangeID: change, now: environment.clock.now,
        userID: account, kind: kind, address: context.address, sessionID: session ?? own, detail: detail))
    tx.afterCommit { [deliveryWorker] in deliveryWorker.wake() }
  }
}
