import Environment
import Cryptography
import IdentityDomain
import IdentityMail
import IdentityPush
import IdentityStore
import Logging
import Postgres
import ServiceLifecycle

/// The parts by which users are told things, put together.
package struct NotificationDelivery: Sendable {
  /// Sends mail and pushes.
  package let deliveryWorker: DeliveryWorker
  /// Puts notices into inboxes.
  package let notifier: Notifier
  /// The parts that run for as long as the service does, in the order of their start.
  package let background: [any Service]

  /// Connections that a gateway is to allow.
  package static let pushConnections = PushSender.connections

  /// - Parameters:
  ///   - pushGateway: `nil` where nothing is to be pushed.
  ///   - pushTokens: opens the tokens of devices.
  ///   - inboxes: rings for those who read inboxes.
  package init(
    database: Database, mailer: any Mailer, pushGateway: (any PushGateway)?, letters: Letters,
    pushTokens: PushTokens, inboxes: InboxWatch, environment: Environment, logger: Logger
  ) {
    let mail = MailSender(database: database, mailer: mailer, letters: letters, environment: environment)
    let push = pushGateway.map { PushSender(gateway: $0, tokens: pushTokens) }
    deliveryWorker = DeliveryWorker(
      database: database, senders: [mail] + (push.map { [$0] } ?? []), clock: environment.clock, logger: logger)
    notifier = Notifier(
      channels: push == nil ? .mail : [.mail, .push], environment: environment, inboxes: inboxes,
      deliveryWorker: deliveryWorker)
    background = [deliveryWorker, inboxes]
  }
}

/// What mails say.
package struct Letters: Sendable {
  let verification: VerificationLetter
  let reset: PasswordResetLetter
  let notification: NotificationLetter

  /// - Parameters:
  ///   - verifyURL: the page that verifies addresses.
  ///   - resetURL: the page where a new password is chosen.
  ///   - unsubscribeURL: the page that ends mail of one kind; `nil` where there is none.
  package init(verifyURL: String, resetURL: String, unsubscribeURL: String?, seal: Seal) {
    verification = VerificationLetter(link: verifyURL)
    reset = PasswordResetLetter(link: resetURL)
    notification = NotificationLetter(
      unsubscribeURL: unsubscribeURL, unsubscription: Unsubscription(seal: seal))
  }
}
