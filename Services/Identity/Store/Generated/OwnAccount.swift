// Made from own_account.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// What a user sees of their own account ([ID-14]).
package struct OwnAccount: SingleRowStatement {
  package struct Row: Sendable {
    package let userID: UserID
    package let email: String
    package let username: String
    package let registeredAt: Instant
    package let verifiedAt: Instant?
    package let hasPassword: Bool
    package let passkeyCount: Int64
    /// Of the linked identities, the oldest first.
    package let issuers: [String]
    package let hasGymProfile: Bool
    package let hasPicture: Bool
    /// The address of a change that waits for its confirmation.
    package let pendingEmail: String?
    package let pendingExpiresAt: Instant?
  }

  package static let sql = """
    select
      accounts.id as user_id, accounts.email, accounts.username, accounts.registered_at, accounts.verified_at,
      accounts.password_hash is not null as has_password,
      (select count(*) from passkeys where passkeys.account_id = accounts.id) as passkey_count,
      array(
        select issuer from federated_identities where federated_identities.account_id = accounts.id
        order by federated_identities.id
      ) as issuers,
      exists (
        select from profiles where profiles.account_id = accounts.id and profiles.gender is not null
      ) as has_gym_profile,
      exists (select from pictures where pictures.holder_id = accounts.id) as has_picture,
      pending.new_email as pending_email, pending.expires_at as pending_expires_at
    from accounts left join email_changes as pending
      on pending.account_id = accounts.id and pending.confirmed_at is null and pending.expires_at > $1
    where accounts.id = $2
    """
  package let now: Instant
  package let userID: UserID

  package init(now: Instant, userID: UserID) {
    self.now = now
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      userID: try row.next(), email: try row.next(), username: try row.next(), registeredAt: try row.next(),
      verifiedAt: try row.next(), hasPassword: try row.next(), passkeyCount: try row.next(), issuers: try row.next(),
      hasGymProfile: try row.next(), hasPicture: try row.next(), pendingEmail: try row.next(),
      pendingExpiresAt: try row.next())
  }
}
