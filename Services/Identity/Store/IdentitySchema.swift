import Idempotency
import Identifiers
import Postgres

/// What the ids of this schema identify.
package enum Account {}
/// See ``Account``.
package typealias AccountID = Identifier<Account>
/// One login of one device.
package enum LoginSession {}
/// See ``LoginSession``.
package typealias SessionID = Identifier<LoginSession>
/// A mail that is yet to be sent.
package enum OutgoingMail {}
/// See ``OutgoingMail``.
package typealias MailID = Identifier<OutgoingMail>

/// The schema that the identity service owns, and the statements that it knows.
package enum IdentitySchema {
  /// The schema's name.
  package static let name = "identity"

  /// Every step of the schema, in order.
  package static let migrations: [Migration] = [
    Migration(file: "V0001_accounts.sql", bytes: PackageResources.V0001_accounts_sql)
  ]

  /// Every statement of the service, so that a test can prepare them all on the migrated schema.
  package static let statements: [any Statement.Type] =
    [
      FreeLapsedNames.self, InsertAccount.self, TakenNames.self, CredentialsByEmail.self, CredentialsByUsername.self,
      ReplacePasswordHash.self, UnverifiedAccount.self, LockedVerificationRequest.self, NoteVerificationRequest.self,
      InsertVerification.self, LockedVerification.self, UseVerification.self, VerifyAccount.self,
      InsertSession.self, SessionByFamily.self, RotateSession.self, RevokeSession.self, RevokedSessions.self,
      InsertProfile.self, ProfileByUsername.self, LockedProfile.self, ReplaceProfile.self, TimeZoneOfProfile.self,
      TimeZoneNames.self,
      DayInZone.self,
      SigningKeys.self, InsertSigningKey.self, DeleteSigningKeys.self, LockSigningKeys.self,
      InsertMail.self, TakeDueMail.self, DeleteMail.self, NoteMailFailure.self,
      DeleteLapsedAccounts.self, DeleteExpiredVerifications.self, DeleteEndedSessions.self,
      DeleteOldVerificationRequests.self,
    ] + IdempotencySchema.statements
}
