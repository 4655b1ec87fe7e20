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
/// A change of an account's e-mail address.
package enum AddressChange {}
/// See ``AddressChange``.
package typealias EmailChangeID = Identifier<AddressChange>
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

/// An invitation of a user to a group.
package enum InvitationToGroup {}
/// See ``InvitationToGroup``.
package typealias InvitationID = Identifier<InvitationToGroup>

/// The database schema of the identity service, and its statements.
package enum IdentitySchema {
  package static let name = "identity"

  /// The statements that remove expired rows: every table whose rows expire adds its statement here.
  package static let expiries: [any ExpiryStatement.Type] = [
    DeleteLapsedAccounts.self, DeleteLapsedReservations.self, DeleteExpiredVerifications.self,
    DeleteEndedSessions.self, DeleteOldVerificationRequests.self, DeleteSettledDeliveries.self,
    DeleteOldNotifications.self, DeleteExpiredChallenges.self, DeleteExpiredAttempts.self, DeleteExpiredThrottles.self,
    DeleteExpiredResets.self, DeleteExpiredEmailChanges.self, DeleteLapsedEmailReservations.self,
    DeleteOldSecurityEvents.self, DeleteExpiredIdempotencyKeys.self, DeleteOldQuotas.self,
    DeleteLapsedInvitations.self, DeleteOldDeclines.self, DeleteExpiredDevices.self,
    DeleteOldFormerMembers.self,
  ]
}
