public import Expiry
import Postgres

/// The table of attempts, the same in every service's schema that sends users to providers.
///
/// The service's next step binds `user_id`, by a foreign key that deletes a user's attempts with the user, where it
/// has such a table.
public enum OAuth2Schema {}

extension DeleteExpiredAttempts: ExpiryStatement {
  public static let kept = AuthorizationAttempts.lifetime
}
