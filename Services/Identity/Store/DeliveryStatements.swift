import Expiry
import IdentityDomain
import Identifiers
import Postgres

package enum DeliveryChannel: String, Sendable {
  case mail = "MAIL"
  case push = "PUSH"
}

/// The content of a delivery.
package enum DeliveryContent: String, Sendable {
  case emailVerification = "EMAIL_VERIFICATION"
  case passwordReset = "PASSWORD_RESET"
  case notification = "NOTIFICATION"
  case emailChange = "EMAIL_CHANGE"
  case securityNotice = "SECURITY_NOTICE"
}

/// The content of a mail with a link.
package enum LinkMailContent: String, Sendable {
  case emailVerification = "EMAIL_VERIFICATION"
  case passwordReset = "PASSWORD_RESET"
}

/// The final state of a delivery.
package enum SettledState: String, Sendable {
  case sent = "SENT"
  case refused = "REFUSED"
  case obsolete = "MOOT"
}

extension TakeDueDeliveries {
  /// - Parameter leastUrgent: less urgent ones are left to other senders.
  package init(channel: DeliveryChannel, leastUrgent: DeliveryUrgency, now: Instant, limit: Int) {
    self.init(
      channel: channel, now: now, createdAfter: now - Lifetimes.delivery, leastUrgent: leastUrgent,
      limit: Int64(limit))
  }
}

extension TakeEmailChangesWith {
  package init(_ change: EmailChangeID, now: Instant, limit: Int) {
    self.init(
      now: now, createdAfter: now - Lifetimes.delivery, emailChangeID: change, limit: Int64(limit))
  }
}

extension QueueNotificationMail {
  /// - Parameter cause: who caused the notification; `nil` where that is not another user.
  package init(
    _ deliveryID: DeliveryID, to userID: UserID, about notificationID: NotificationID, _ kind: NotificationKind,
    by cause: UserID?, now: Instant
  ) {
    self.init(
      maxRecent: Int64(MailGathering.maxRecent), urgency: kind.urgency, kind: kind, causeID: cause ?? userID,
      userID: userID, recentAfter: now - MailGathering.recent, notificationID: notificationID, now: now,
      deliveryID: deliveryID, pauseOfAllSeconds: Double(MailGathering.pauseOfAll.components.seconds),
      pauseSeconds: Double(MailGathering.pause(kind.urgency).components.seconds))
  }
}

extension GiveUpDeliveries {
  package init(channel: DeliveryChannel, now: Instant, limit: Int) {
    self.init(now: now, channel: channel, createdBefore: now - Lifetimes.delivery, limit: Int64(limit))
  }
}

extension PostponeDelivery {
  /// What is known about a failed attempt.
  package enum Trace: Sendable {
    /// Nothing was sent.
    case nothingSent
    /// It may have been sent.
    case perhapsSent
  }

  /// - Parameter notBefore: the earliest time of the next attempt, which otherwise is at its ordinary time.
  package init(deliveryID: DeliveryID, attempt: Int32, reason: String, trace: Trace, notBefore: Instant) {
    self.init(
      reason: reason, unsent: trace == .nothingSent ? 1 : 0, notBefore: notBefore, deliveryID: deliveryID,
      attempt: attempt)
  }
}

extension DeleteSettledDeliveries: ExpiryStatement {
  package static let kept = Lifetimes.settledDelivery
}
