import IdentityDomain
import Identifiers
import Postgres

/// A user's identity at a provider, linked to an account.
package enum IdentityLink {}
/// See ``IdentityLink``.
package typealias IdentityLinkID = Identifier<IdentityLink>

/// A stored linked identity.
package struct StoredIdentity: RowDecodable {
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
    lastUsedAt: Instant? = nil
  ) {
    self.id = id
    self.userID = userID
    self.issuer = issuer
    self.subject = subject
    self.email = email
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
  }

  static let columns = "id, account_id, issuer, subject, email, created_at, last_used_at"

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredIdentity {
    StoredIdentity(
      id: try row.next(), userID: try row.next(), issuer: try row.next(), subject: try row.next(),
      email: try row.next(), createdAt: try row.next(), lastUsedAt: try row.next())
  }
}

/// Selects a linked identity by issuer and subject, of any account.
package struct IdentityBySubject: Statement {
  package typealias Row = StoredIdentity
  package static let sql = """
    select \(StoredIdentity.columns) from federated_identities where issuer = $1 and subject = $2
    """
  let issuer: String
  let subject: String

  package init(issuer: String, subject: String) {
    self.issuer = issuer
    self.subject = subject
  }

  package func bind(_ p: inout Parameters) {
    p.append(issuer)
    p.append(subject)
  }
}

/// Keeps an account from being locked or deleted until the transaction ends; returns no row when it is deleted or has
/// lapsed ([ID-1]).
package struct HoldIdentityOwner: Statement {
  /// What decides whether its owner may log in.
  package typealias Row = (isVerified: Bool, isLocked: Bool)
  package static let sql = """
    select verified_at is not null, locked_at is not null from accounts
    where id = $1 and (verified_at is not null or registered_at > $2)
    for share
    """
  let id: UserID
  let registeredBefore: Instant

  package init(_ id: UserID, now: Instant) {
    self.id = id
    registeredBefore = now - Lifetimes.unverifiedAccount
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(registeredBefore)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    (isVerified: try row.next(), isLocked: try row.next())
  }
}

/// Records a login with an identity; returns no row when it has been unlinked.
package struct NoteIdentityUse: Statement {
  package typealias Row = IdentityLinkID
  package static let sql = """
    update federated_identities set last_used_at = greatest($2, created_at) where id = $1 returning id
    """
  let id: IdentityLinkID
  let now: Instant

  package init(_ id: IdentityLinkID, now: Instant) {
    self.id = id
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(now)
  }
}

/// Links an identity; returns no row when it is linked already. Waits for concurrent links of the same identity.
package struct InsertIdentity: Statement {
  package typealias Row = IdentityLinkID
  package static let sql = """
    insert into federated_identities (\(StoredIdentity.columns)) values ($1, $2, $3, $4, $5, $6, $7)
    on conflict on constraint federated_identities_issuer_subject_key do nothing
    returning id
    """
  let identity: StoredIdentity

  package init(_ identity: StoredIdentity) { self.identity = identity }

  package func bind(_ p: inout Parameters) {
    p.append(identity.id)
    p.append(identity.userID)
    p.append(identity.issuer)
    p.append(identity.subject)
    p.append(identity.email)
    p.append(identity.createdAt)
    p.append(identity.lastUsedAt)
  }
}

/// Selects the identities of an account, the oldest first.
package struct IdentitiesOf: Statement {
  package typealias Row = StoredIdentity
  package static let sql = """
    select \(StoredIdentity.columns) from federated_identities where account_id = $1 order by id
    """
  let userID: UserID

  package init(_ userID: UserID) { self.userID = userID }

  package func bind(_ p: inout Parameters) { p.append(userID) }
}

/// Unlinks an identity from an account.
package struct DeleteIdentity: Statement {
  package typealias Row = Void
  package static let sql = "delete from federated_identities where id = $1 and account_id = $2"
  let id: IdentityLinkID
  let userID: UserID

  package init(_ id: IdentityLinkID, of userID: UserID) {
    self.id = id
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(userID)
  }
}

/// Unlinks all identities from an account.
package struct DeleteIdentitiesOf: Statement {
  package typealias Row = Void
  package static let sql = "delete from federated_identities where account_id = $1"
  let userID: UserID

  package init(_ userID: UserID) { self.userID = userID }

  package func bind(_ p: inout Parameters) { p.append(userID) }
}

/// Removes an unverified account that has lapsed and holds an identity ([ID-1]).
package struct FreeLapsedIdentity: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from accounts
    where id = (select account_id from federated_identities where issuer = $1 and subject = $2)
      and verified_at is null and registered_at <= $3
    """
  let issuer: String
  let subject: String
  let registeredBefore: Instant

  package init(issuer: String, subject: String, now: Instant) {
    self.issuer = issuer
    self.subject = subject
    registeredBefore = now - Lifetimes.unverifiedAccount
  }

  package func bind(_ p: inout Parameters) {
    p.append(issuer)
    p.append(subject)
    p.append(registeredBefore)
  }
}

/// Adds an account without a password; returns no row when one of its names is taken. Waits for concurrent
/// registrations of the same names.
package struct InsertFederatedAccount: Statement {
  package typealias Row = UserID
  package static let sql = """
    insert into accounts (id, email, email_key, username, registered_at, verified_at) values ($1, $2, $3, $4, $5, $6)
    on conflict do nothing
    returning id
    """
  let id: UserID
  let email: EmailAddress
  let username: Username
  let now: Instant
  let verifiedAt: Instant?

  /// - Parameter verifiedAt: `nil` for an address that is not verified yet.
  package init(id: UserID, email: EmailAddress, username: Username, now: Instant, verifiedAt: Instant?) {
    self.id = id
    self.email = email
    self.username = username
    self.now = now
    self.verifiedAt = verifiedAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(email.spelling)
    p.append(email.key)
    p.append(username.spelling)
    p.append(now)
    p.append(verifiedAt)
  }
}
