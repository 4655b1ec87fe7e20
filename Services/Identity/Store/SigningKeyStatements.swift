public import Identifiers
public import Postgres

/// A signing key as it is stored.
public struct StoredSigningKey: Sendable {
  public let id: String
  public let publicKey: [UInt8]
  /// Opened by the service's seal key alone.
  public let sealedPrivateKey: [UInt8]
  public let createdAt: Instant

  public init(id: String, publicKey: [UInt8], sealedPrivateKey: [UInt8], createdAt: Instant) {
    self.id = id
    self.publicKey = publicKey
    self.sealedPrivateKey = sealedPrivateKey
    self.createdAt = createdAt
  }
}

/// All signing keys, the newest first.
public struct SigningKeys: Statement {
  public static let sql = """
    select id, public_key, sealed_private_key, created_at from signing_keys order by created_at desc, id
    """

  public init() {}

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredSigningKey {
    StoredSigningKey(
      id: try row.next(), publicKey: try row.next(), sealedPrivateKey: try row.next(), createdAt: try row.next())
  }
}

/// Keeps other replicas from changing the keys until the transaction ends.
public struct LockSigningKeys: Statement {
  public typealias Row = Void
  public static let sql = "select pg_advisory_xact_lock(hashtextextended('signing keys of identity', 0))"

  public init() {}
}

/// Adds a key.
public struct InsertSigningKey: Statement {
  public typealias Row = Void
  public static let sql = """
    insert into signing_keys (id, public_key, sealed_private_key, created_at) values ($1, $2, $3, $4)
    """
  let key: StoredSigningKey

  public init(_ key: StoredSigningKey) { self.key = key }

  public func bind(_ p: inout Parameters) {
    p.append(key.id)
    p.append(key.publicKey)
    p.append(key.sealedPrivateKey)
    p.append(key.createdAt)
  }
}

/// Removes keys whose last token has expired.
public struct DeleteSigningKeys: Statement {
  public typealias Row = Void
  public static let sql = "delete from signing_keys where id = any($1)"
  let ids: [String]

  public init(_ ids: [String]) { self.ids = ids }

  public func bind(_ p: inout Parameters) { p.append(ids) }
}
