// Made from signing_keys.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// A stored signing key.
package struct StoredSigningKey: Sendable, RowDecodable {
  package let id: String
  package let publicKey: [UInt8]
  /// Can be opened only with the service's seal key.
  package let sealedPrivateKey: [UInt8]
  package let createdAt: Instant

  package init(id: String, publicKey: [UInt8], sealedPrivateKey: [UInt8], createdAt: Instant) {
    self.id = id
    self.publicKey = publicKey
    self.sealedPrivateKey = sealedPrivateKey
    self.createdAt = createdAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredSigningKey {
    StoredSigningKey(
      id: try row.next(), publicKey: try row.next(), sealedPrivateKey: try row.next(), createdAt: try row.next())
  }
}

/// All signing keys, the newest first.
package struct SigningKeys: Statement {
  package typealias Row = StoredSigningKey
  package static let sql = """
    select id, public_key, sealed_private_key, created_at from signing_keys order by created_at desc, id
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredSigningKey.decode(row)
  }
}

/// Keeps other replicas from changing the keys until the transaction ends.
package struct LockSigningKeys: Statement {
  package typealias Row = Void
  package static let sql = """
    select from pg_advisory_xact_lock(hashtextextended('signing keys of identity', 0))
    """

  package init() {}
}

/// Stores a new key.
package struct InsertSigningKey: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into signing_keys (id, public_key, sealed_private_key, created_at)
    values ($1, $2, $3, $4)
    """
  package let id: String
  package let publicKey: [UInt8]
  package let sealedPrivateKey: [UInt8]
  package let createdAt: Instant

  package init(id: String, publicKey: [UInt8], sealedPrivateKey: [UInt8], createdAt: Instant) {
    self.id = id
    self.publicKey = publicKey
    self.sealedPrivateKey = sealedPrivateKey
    self.createdAt = createdAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(publicKey)
    p.append(sealedPrivateKey)
    p.append(createdAt)
  }
}

/// Removes keys.
package struct DeleteSigningKeys: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from signing_keys where id = any($1)
    """
  package let ids: [String]

  package init(ids: [String]) {
    self.ids = ids
  }

  package func bind(_ p: inout Parameters) {
    p.append(ids)
  }
}
