import Environment
import Cryptography
import IdentityDomain
import IdentityMail
import IdentityOperations
import IdentityPush
import IdentityStore
import Logging
import Postgres

/// The components that deliver notifications.
package struct NotificationDelivery: Sendable {
  /// Sends mail and pushes.
  package let deliveryWorker: DeliveryWorker
  /// Stores notifications in inboxes.
  package let notifier: Notifier

  /// The number of connections that a gateway must allow.
  package static let pushConnections = PushSender.connections

  /// - Parameters:
  ///   - pushGateway: `nil` disables pushes.
  ///   - pushTokens: opens the sealed push tokens of devices.
  ///   - inboxes: signals readers of inboxes.
  package init(
    database: Database, mailer: any Mailer, pushGateway: (any PushGateway)?, letters: Letters,
    pushTokens: PushTokens, inboxes: InboxSignalling, environment: Environment, logger: Logger
  ) {
    let mail = MailSender(database: database, mailer: mailer, letters: letters, environment: environment)
    let push = pushGateway.map { PushSender(gateway: $0, tokens: pushTokens) }
    deliveryWorker = DeliveryWorker(
      database: database, senders: [mail] + (push.map { [$0] } ?? []), clock: environment.clock, logger: logger)
    notifier = Notifier(
      channels: push == nil ? .mail : [.mail, .push], environment: environment, inboxes: inboxes,
      deliveries: deliveryWorker)
  }
}

/// The templates of mails.
package struct Letters: Sendable {
  let verification: VerificationLetter
  let reset: PasswordResetLetter
  let emailChange: EmailChangeLetter
  let security: SecurityLetter
  let notification: NotificationLetter

  /// - Parameters:
  ///   - verifyURL: the page that verifies addresses.
  ///   - resetURL: the page where a new password is chosen.
  ///   - emailChangeURL: the page that confirms a new address.
  ///   - emailUndoURL: the page that undoes a change of the address.
  ///   - unsubscribeURL: the page that ends mail of one kind; `nil` for no link.
  package init(
    verifyURL: String, resetURL: String, emailChangeURL: String, emailUndoURL: String, unsubscribeURL: String?,
    seal: Seal
  ) {
    verification = VerificationLetter(link: verifyURL)
    reset = PasswordResetLetter(link: resetURL)
    emailChange = EmailChangeLetter(link: emailChangeURL)
    security = SecurityLetter(undoLink: emailUndoURL)
    notification = NotificationLetter(
      unsubscribeURL: unsubscribeURL, unsubscription: Unsubscription(seal: seal))
  }
}
