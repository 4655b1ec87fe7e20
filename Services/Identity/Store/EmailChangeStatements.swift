import Expiry
import IdentityDomain
import Identifiers
import Postgres

/// What a token does with a change of address.
package enum EmailChangePurpose: String, Sendable {
  case confirm = "CONFIRM"
  case undo = "UNDO"
}

/// The constraints that are violated when an e-mail address belongs to or is reserved for another account.
package enum EmailConstraints {
  /// The constraint that makes addresses unique.
  static let unique = "accounts_email_key"
  /// The trigger that checks reservations ([ID-15]).
  static let reserved = "accounts_email_not_reserved"

  /// Whether an error means that the address is taken.
  package static func areBroken(by error: PostgresError) -> Bool {
    error.constraint == unique || error.constraint == reserved
  }
}

extension InsertEmailChange {
  package init(
    _ emailChangeID: EmailChangeID, of userID: UserID, to email: EmailAddress, by sessionID: SessionID,
    deliveryID: DeliveryID, now: Instant, mailDueAt: Instant
  ) {
    self.init(
      emailChangeID: emailChangeID, sessionID: sessionID, newEmail: email.spelling, newEmailKey: email.key, now: now,
      expiresAt: now + Lifetimes.emailConfirmation, userID: userID, deliveryID: deliveryID, mailDueAt: mailDueAt)
  }
}

extension ClearLoginMethods {
  package init(userID: UserID, now: Instant) {
    self.init(userID: userID, unknownHash: KnownDevices.unknown, now: now)
  }
}

extension DeleteExpiredEmailChanges: ExpiryStatement {
  package static let kept = Lifetimes.expiredEmailChange
}

extension DeleteLapsedEmailReservations: ExpiryStatement {
  package static let kept = Duration.zero
}
