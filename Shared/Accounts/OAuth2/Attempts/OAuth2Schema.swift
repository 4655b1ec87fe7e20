public import Postgres

/// The table of attempts, the same in every service's schema that sends users to providers.
///
/// The service's next step binds `person_id`, by a foreign key that deletes a user's attempts with the user, where it
/// has such a table.
public enum OAuth2Schema {
  /// The step that makes the table.
  ///
  /// - Parameter version: its number among the service's migrations.
  public static func migration(version: Int) -> Migration {
    Migration(
      version: version, name: "authorization_attempts",
      bytes: PackageResources.authorization_attempts_sql)
  }

  /// Every statement of the module, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    InsertAttempt.self, UseAttempt.self, DeleteExpiredAttempts.self,
  ]
}
