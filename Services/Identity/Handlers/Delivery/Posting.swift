import Ambient
import Cryptography
import IdentityDomain
import IdentityMail
import IdentityPush
import IdentityStore
import Logging
import Postgres
import ServiceLifecycle

/// The parts by which people are told things, put together.
package struct Posting: Sendable {
  /// Sends mail and pushes.
  package let deliveryRoom: DeliveryRoom
  /// Puts notices into inboxes.
  package let notifier: Notifier
  /// The parts that run for as long as the service does, in the order of their start.
  package let background: [any Service]

  /// Connections that a gateway is to allow.
  package static let pushConnections = PushCarrier.connections

  /// - Parameters:
  ///   - pushGateway: `nil` where nothing is to be pushed.
  ///   - pushTokens: opens the tokens of devices.
  ///   - inboxes: rings for those who read inboxes.
  package init(
    database: Database, mailer: any Mailer, pushGateway: (any PushGateway)?, letters: Letters,
    pushTokens: PushTokens, inboxes: InboxWatch, ambient: Ambient, logger: Logger
  ) {
    let mail = MailCarrier(database: database, mailer: mailer, letters: letters, ambient: ambient)
    let push = pushGateway.map { PushCarrier(gateway: $0, tokens: pushTokens) }
    deliveryRoom = DeliveryRoom(
      database: database, carriers: [mail] + (push.map { [$0] } ?? []), clock: ambient.clock, logger: logger)
    notifier = Notifier(
      channels: push == nil ? .mail : [.mail, .push], ambient: ambient, inboxes: inboxes, deliveryRoom: deliveryRoom)
    background = [deliveryRoom, inboxes]
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
