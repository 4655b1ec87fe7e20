// Made from federated_identities.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// A stored linked identity.
package struct StoredIdentity: Sendable, RowDecodable {
  package let id: IdentityLinkID
  package let userID: UserID
  package let issuer: String
  package let subject: String
  /// The address that the provider reported when the identity was linked.
  package let email: String?
  package let createdAt: Instant
  /// `nil` until the first login with it.
  package let lastUsedAt: Instant?

  package init(
    id: IdentityLinkID, userID: UserID, issuer: String, subject: String, email: String?, createdAt: Instant,
    lastUsedAt: Instant?) {
    self.id = id
    self.userID = userID
    self.issuer = issuer
    self.subject = subject
    self.email = email
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredIdentity {
    StoredIdentity(
      id: try row.next(), userID: try row.next(), issuer: try row.next(), subject: try row.next(),
      email: try row.next(), createdAt: try row.next(), lastUsedAt: try row.next())
  }
}

/// Selects a linked identity by issuer and subject, of any account.
package struct IdentityBySubject: SingleRowStatement {
  package typealias Row = StoredIdentity
  package static let sql = """
    select id, account_id as user_id, issuer, subject, email, created_at, last_used_at from federated_identities where issuer = $1 and subject = $2
    """
  package let issuer: String
  package let subject: String

  package init(issuer: String, subject: String) {
    self.issuer = issuer
    self.subject = subject
  }

  package func bind(_ p: inout Parameters) {
    p.append(issuer)
    p.append(subject)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredIdentity.decode(row)
  }
}

/// Keeps an account from being locked or deleted until the transaction ends, and returns what decides whether its owner
/// may log in; returns no row when it is deleted or has lapsed ([ID-1]).
package struct HoldIdentityOwner: SingleRowStatement {
  package struct Row: Sendable {
    package let isVerified: Bool
    package let isLocked: Bool
  }

  package static let sql = """
    select verified_at is not null as is_verified, locked_at is not null as is_locked from accounts
    where id = $1 and (verified_at is not null or registered_at > $2)
    for no key update
    """
  package let userID: UserID
  package let registeredAfter: Instant

  package init(userID: UserID, registeredAfter: Instant) {
    self.userID = userID
    self.registeredAfter = registeredAfter
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(registeredAfter)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(isVerified: try row.next(), isLocked: try row.next())
  }
}

/// Records a login with an identity; returns no row when it has been unlinked.
package struct NoteIdentityUse: SingleRowStatement {
  package typealias Row = IdentityLinkID
  package static let sql = """
    update federated_identities set last_used_at = greatest($1, created_at) where id = $2 returning id
    """
  package let now: Instant
  package let identityID: IdentityLinkID

  package init(now: Instant, identityID: IdentityLinkID) {
    self.now = now
    self.identityID = identityID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(identityID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Links an identity; returns no row when it is linked already. Waits for concurrent links of the same identity.
package struct InsertIdentity: SingleRowStatement {
  package typealias Row = IdentityLinkID
  package static let sql = """
    insert into federated_identities (id, account_id, issuer, subject, email, created_at, last_used_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict on constraint federated_identities_issuer_subject_key do nothing
    returning id
    """
  package let identityID: IdentityLinkID
  package let userID: UserID
  package let issuer: String
  package let subject: String
  package let email: String?
  package let createdAt: Instant
  package let lastUsedAt: Instant?

  package init(
    identityID: IdentityLinkID, userID: UserID, issuer: String, subject: String, email: String?, createdAt: Instant,
    lastUsedAt: Instant?) {
    self.identityID = identityID
    self.userID = userID
    self.issuer = issuer
    self.subject = subject
    self.email = email
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(identityID)
    p.append(userID)
    p.append(issuer)
    p.append(subject)
    p.append(email)
    p.append(createdAt)
    p.append(lastUsedAt)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Selects the identities of an account, the oldest first.
package struct IdentitiesOf: Statement {
  package typealias Row = StoredIdentity
  package static let sql = """
    select id, account_id as user_id, issuer, subject, email, created_at, last_used_at from federated_identities where account_id = $1 order by id
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredIdentity.decode(row)
  }
}

/// Unlinks an identity from an account.
package struct DeleteIdentity: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from federated_identities where id = $1 and account_id = $2
    """
  package let identityID: IdentityLinkID
  package let userID: UserID

  package init(identityID: IdentityLinkID, userID: UserID) {
    self.identityID = identityID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(identityID)
    p.append(userID)
  }
}

/// Unlinks all identities from an account.
package struct DeleteIdentitiesOf: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from federated_identities where account_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Removes an unverified account that has lapsed and holds an identity ([ID-1]).
package struct FreeLapsedIdentity: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from accounts
    where id = (select account_id from federated_identities where issuer = $1 and subject = $2)
      and verified_at is null and registered_at <= $3
    """
  package let issuer: String
  package let subject: String
  package let registeredBefore: Instant

  package init(issuer: String, subject: String, registeredBefore: Instant) {
    self.issuer = issuer
    self.subject = subject
    self.registeredBefore = registeredBefore
  }

  package func bind(_ p: inout Parameters) {
    p.append(issuer)
    p.append(subject)
    p.append(registeredBefore)
  }
}
