import Identifiers
import Postgres

/// A stored signing key.
package struct StoredSigningKey: Sendable {
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
}

/// Selects all signing keys, the newest first.
package struct SigningKeys: Statement {
  package static let sql = """
    select id, public_key, sealed_private_key, created_at from signing_keys order by created_at desc, id
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredSigningKey {
    StoredSigningKey(
      id: try row.next(), publicKey: try row.next(), sealedPrivateKey: try row.next(), createdAt: try row.next())
  }
}

/// Keeps other replicas from changing the keys until the transaction ends.
package struct LockSigningKeys: Statement {
  package typealias Row = Void
  package static let sql = "select pg_advisory_xact_lock(hashtextextended('signing keys of identity', 0))"

  package init() {}
}

package struct InsertSigningKey: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into signing_keys (id, public_key, sealed_private_key, created_at) values ($1, $2, $3, $4)
    """
  let key: StoredSigningKey

  package init(_ key: StoredSigningKey) { self.key = key }

  package func bind(_ p: inout Parameters) {
    p.append(key.id)
    p.append(key.publicKey)
    p.append(key.sealedPrivateKey)
    p.append(key.createdAt)
  }
}

package struct DeleteSigningKeys: Statement {
  package typealias Row = Void
  package static let sql = "delete from signing_keys where id = any($1)"
  let ids: [String]

  package init(_ ids: [String]) { self.ids = ids }

  package func bind(_ p: inout Parameters) { p.append(ids) }
}
