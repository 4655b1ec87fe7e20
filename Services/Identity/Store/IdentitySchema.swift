import Events
import Expiry
import Idempotency
import Identifiers
import Jobs
import OAuth2
import Pictures
import Postgres

/// A login session of one device.
package enum LoginSession {}
/// See ``LoginSession``.
package typealias SessionID = Identifier<LoginSession>
/// A notification in a user's inbox.
package enum InboxNotification {}
/// See ``InboxNotification``.
package typealias NotificationID = Identifier<InboxNotification>
/// A mail or a push to be sent, or already sent.
package enum Delivery {}
/// See ``Delivery``.
package typealias DeliveryID = Identifier<Delivery>
/// A device that notifications are pushed to.
package enum PushDevice {}
/// See ``PushDevice``.
package typealias DeviceID = Identifier<PushDevice>

/// A user's report about another, for the operators.
package enum ReportOfUser {}
/// See ``ReportOfUser``.
package typealias ReportID = Identifier<ReportOfUser>
/// A security event of an account.
package enum AccountSecurity {}
/// See ``AccountSecurity``.
package typealias SecurityEventID = Identifier<AccountSecurity>
/// A group of users who look out for each other.
package enum UsersGroup {}
/// See ``UsersGroup``.
package typealias GroupID = Identifier<UsersGroup>
/// A user's membership of a group.
package enum GroupMembership {}
/// See ``GroupMembership``.
package typealias MembershipID = Identifier<GroupMembership>

/// The database schema of the identity service, and its statements.
package enum IdentitySchema {
  package static let name = "identity"

  /// All migrations, in order.
  package static let migrations: [Migration] = [
    Migration(file: "V0001_accounts.sql", bytes: PackageResources.V0001_accounts_sql),
    EventsSchema.migration(version: 2),
    JobsSchema.migration(version: 3),
    Migration(file: "V0004_notifications.sql", bytes: PackageResources.V0004_notifications_sql),
    Migration(file: "V0005_reminder_jobs.sql", bytes: PackageResources.V0005_reminder_jobs_sql),
    Migration(file: "V0006_sealed_devices.sql", bytes: PackageResources.V0006_sealed_devices_sql),
    Migration(file: "V0007_throttles.sql", bytes: PackageResources.V0007_throttles_sql),
    Migration(file: "V0008_password_resets.sql", bytes: PackageResources.V0008_password_resets_sql),
    Migration(file: "V0009_blocks.sql", bytes: PackageResources.V0009_blocks_sql),
    Migration(file: "V0010_groups.sql", bytes: PackageResources.V0010_groups_sql),
    Migration(file: "V0011_security_events.sql", bytes: PackageResources.V0011_security_events_sql),
    Migration(file: "V0012_account_locks.sql", bytes: PackageResources.V0012_account_locks_sql),
    PicturesSchema.migration(version: 13),
    Migration(file: "V0014_profile_pictures.sql", bytes: PackageResources.V0014_profile_pictures_sql),
    Migration(file: "V0015_passkeys.sql", bytes: PackageResources.V0015_passkeys_sql),
    Migration(file: "V0016_departures.sql", bytes: PackageResources.V0016_departures_sql),
    Migration(file: "V0017_badges.sql", bytes: PackageResources.V0017_badges_sql),
    Migration(file: "V0018_username_reservations.sql", bytes: PackageResources.V0018_username_reservations_sql),
    OAuth2Schema.migration(version: 19),
    Migration(file: "V0020_federated_identities.sql", bytes: PackageResources.V0020_federated_identities_sql),
    Migration(file: "V0021_session_proofs.sql", bytes: PackageResources.V0021_session_proofs_sql),
    EventsSchema.upkeep(version: 22),
    Migration(file: "V0023_refilling_throttles.sql", bytes: PackageResources.V0023_refilling_throttles_sql),
  ]

  /// The statements that remove expired rows: every table whose rows expire adds its statement here.
  package static let expiries: [any ExpiryStatement.Type] = [
    DeleteLapsedAccounts.self, DeleteLapsedReservations.self, DeleteExpiredVerifications.self,
    DeleteEndedSessions.self, DeleteOldVerificationRequests.self, DeleteSettledDeliveries.self,
    DeleteOldNotifications.self, DeleteExpiredChallenges.self, DeleteExpiredAttempts.self, DeleteExpiredThrottles.self,
    DeleteExpiredResets.self, DeleteOldSecurityEvents.self, DeleteExpiredIdempotencyKeys.self, DeleteOldQuotas.self,
  ]

  /// Every statement of the service, so that a test can prepare them all on the migrated schema.
  package static let statements: [any Statement.Type] =
    EventsSchema.statements + JobsSchema.statements + expiries + [
      FreeLapsedNames.self, InsertAccount.self, TakenNames.self, CredentialsByEmail.self,
      CredentialsByUsername.self,
      ReplacePasswordHash.self, UnverifiedAccount.self, LockedVerificationRequest.self, NoteVerificationRequest.self,
      InsertVerification.self, LockedVerification.self, UseVerification.self, VerifyAccount.self,
      InsertSession.self, SessionByFamily.self, RotateSession.self, RevokeSession.self, RevokedSessions.self,
      SessionsBefore.self, LivingSession.self,
      InsertProfile.self, ProfileByUsername.self, LockedProfile.self, ReplaceProfile.self, TimeZoneOfProfile.self,
      TimeZoneNames.self,
      DayInZone.self,
      SigningKeys.self, InsertSigningKey.self, DeleteSigningKeys.self, LockSigningKeys.self,
      LockInbox.self, InsertNotification.self, NoticeFacts.self, NotificationsBefore.self, NotificationsAfter.self,
      InboxPositions.self,
      CountUnread.self, MarkNotificationsRead.self,
      PreferencesOf.self, SetPreference.self, WantedChannels.self,
      RegisterDevice.self, DropSurplusDevices.self, ReleaseToken.self, DropDevice.self, DropGoneDevice.self,
      DevicesBefore.self, DevicesToSeal.self, SealDevice.self,
      ReminderOf.self, SetReminder.self, ReminderToGive.self, NoteReminder.self,
      InsertLinkMail.self, InsertNotificationMail.self, InsertPushes.self,
      TakeDueDeliveries.self, GiveUpDeliveries.self, SettleDelivery.self, PostponeDelivery.self,
      CredentialsByID.self, LockedAccount.self, RevokeSessions.self, DeleteAccountRow.self, DepartedAccounts.self,
    ] + IdempotencySchema.statements + PicturesSchema.statements + OAuth2Schema.statements + [
      IdentityBySubject.self, HoldIdentityOwner.self, NoteIdentityUse.self, InsertIdentity.self, IdentitiesOf.self,
      DeleteIdentity.self, DeleteIdentitiesOf.self, FreeLapsedIdentity.self, InsertFederatedAccount.self,
      SessionProof.self, NoteSessionProof.self, InsertChallenge.self, UseChallenge.self, InsertPasskey.self,
      PasskeysOf.self,
      PasskeyByCredential.self, CountPasskeyLogin.self, DeletePasskeyRow.self,
      ThrottlesOf.self, LockedThrottles.self, LockThrottles.self, StoreThrottle.self, ForgetThrottle.self,
      HoldPassword.self, HoldAccount.self, LockPassword.self, ReplacePassword.self, NamesByID.self, AccountByEmail.self,
      InsertReset.self, ResetByHash.self, UseReset.self, EstimatedAccounts.self, PasswordParameterCounts.self,
      LockUsers.self, LockedUser.self, InsertBlock.self, BlockTime.self, CountBlocks.self, DeleteBlock.self,
      BlocksBefore.self, BlocksAfter.self, InsertReport.self, ReportsBefore.self, ProfilesByPrefix.self,
      InsertGroup.self, LockGroup.self, MembershipOf.self, CountGroups.self, VisibleUserByEmail.self,
      InsertMember.self, DeleteMember.self, DeleteGroup.self, RenameGroup.self, GroupForMember.self, GroupsOf.self,
      MembersAfter.self,
      InsertSecurityEvent.self, SecurityEventsBefore.self, HoldSessionOwner.self,
      UserByID.self, UserByEmail.self, UsersByPrefix.self, SetAccountLock.self,
    ] + [
      AwardBadges.self, BadgesOf.self, NoteSession.self, SessionTally.self, NoteLentBook.self, LentBooks.self,
      NoteActivity.self, NoteActivityRemoved.self, DistanceInMonth.self, ForgetActivityPositions.self,
      UsernameIsTaken.self, FreeLapsedUsername.self, ReplaceUsername.self, ReserveUsername.self, UsersAfter.self,
    ]
}
