import Expiry
import IdentityDomain
import Identifiers
import Postgres

/// The constraints that are violated when a username belongs to or is reserved for another user.
package enum UsernameConstraints {
  /// The index that makes names unique.
  static let unique = "accounts_username_key"
  /// The trigger that checks reservations ([ID-22]).
  static let reserved = "accounts_username_not_reserved"

  /// Whether an error means that the name is taken.
  package static func areBroken(by error: PostgresError) -> Bool {
    error.constraint == unique || error.constraint == reserved
  }
}

extension UsernameIsTaken {
  package init(username: Username, userID: UserID, now: Instant) {
    self.init(usernameKey: username.key, userID: userID, now: now)
  }
}

extension FreeLapsedUsername {
  package init(username: Username, now: Instant) {
    self.init(usernameKey: username.key, now: now)
  }
}

extension ReplaceUsername {
  package init(userID: UserID, username: Username, now: Instant) {
    self.init(username: username.spelling, userID: userID, usernameKey: username.key, now: now)
  }
}

extension DeleteLapsedReservations: ExpiryStatement {
  package static let kept = Duration.zero
}
