import Environment
import IdentityDomain
import IdentityStore
import Jobs
import Postgres

extension JobKind where Payload == String {
  /// Mails a link to choose a new password to the owner of the address in the payload.
  package static let resetMail = JobKind("reset_mail")
}

/// Mails with a link to choose a new password ([ID-8]).
package struct ResetMails: Sendable {
  private let environment: Environment
  private let deliveries: any DeliverySignalling
  private let throttles: Throttles
  private let log: SecurityLog
  private let answer: ResetAnswer

  /// - Parameter answer: what the answer to the request revealed. After a neutral one the limits for the domain and for all are applied here
  ///   ([ID-17]).
  package init(
    environment: Environment, deliveries: any DeliverySignalling, throttles: Throttles, answer: ResetAnswer
  ) {
    (self.environment, self.deliveries) = (environment, deliveries)
    (self.throttles, self.answer) = (throttles, answer)
    log = SecurityLog(environment: environment)
  }

  /// Queues the mail to the owner of an address; none where no account has it.
  package func send(to email: EmailAddress, in tx: Transaction) async throws {
    let now = environment.clock.now
    guard let account = try await tx.first(AccountByEmail(email: email, now: now)) else { return }
    // A refusal would reveal that the address is registered.
    if answer == .neutral, try await !throttles.take(ThrottleKey.resetMail(to: email), in: tx) { return }
    try await tx.execute(
      InsertLinkMail(deliveryID: environment.newID(), userID: account, content: .passwordReset, now: now))
    try await log.note(.resetRequested, of: account, in: tx)
    tx.afterCommit { [deliveries] in deliveries.wake() }
  }
}
