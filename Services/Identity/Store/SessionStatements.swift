import IdentityDomain
public import Identifiers
public import Postgres

/// The two hashes by which a session knows its current refresh token.
public struct RefreshHashes: Sendable, Equatable {
  /// Of the part that all tokens of the session share.
  public let family: [UInt8]
  /// Of the part that changes.
  public let secret: [UInt8]

  public init(family: [UInt8], secret: [UInt8]) {
    self.family = family
    self.secret = secret
  }
}

/// Adds a session: somebody logged in.
public struct InsertSession: Statement {
  public typealias Row = Void
  public static let sql = """
    insert into sessions
      (id, account_id, family_hash, refresh_hash, device_label, address, created_at, last_used_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $7, $8)
    """
  let id: SessionID
  let accountID: AccountID
  let hashes: RefreshHashes
  let deviceLabel: String
  let address: String
  let now: Instant

  public init(
    id: SessionID, accountID: AccountID, hashes: RefreshHashes, deviceLabel: String, address: String, now: Instant
  ) {
    self.id = id
    self.accountID = accountID
    self.hashes = hashes
    self.deviceLabel = deviceLabel
    self.address = address
    self.now = now
  }

  public func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(accountID)
    p.append(hashes.family)
    p.append(hashes.secret)
    p.append(deviceLabel)
    p.append(address)
    p.append(now)
    p.append(now + Lifetimes.refreshToken)
  }
}

/// The session that a refresh token belongs to, whether the token is its current one or not.
public struct SessionByFamily: Statement {
  /// What decides about using the token.
  public struct Row: Sendable {
    public let id: SessionID
    public let accountID: AccountID
    public let currentHash: [UInt8]
    public let previousHash: [UInt8]?
    public let rotationRequestID: UUID7?
    public let lastUsedAt: Instant
    public let revokedAt: Instant?
  }

  public static let sql = """
    select id, account_id, refresh_hash, previous_hash, rotation_request_id, last_used_at, revoked_at
    from sessions where family_hash = $1
    """
  let familyHash: [UInt8]

  public init(familyHash: [UInt8]) { self.familyHash = familyHash }

  public func bind(_ p: inout Parameters) { p.append(familyHash) }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), accountID: try row.next(), currentHash: try row.next(), previousHash: try row.next(),
      rotationRequestID: try row.next(), lastUsedAt: try row.next(), revokedAt: try row.next())
  }
}

/// Replaces a session's refresh token if it is still the one named; no row when another use came first ([ID-6]).
public struct RotateSession: Statement {
  public static let sql = """
    update sessions
    set refresh_hash = $3, previous_hash = refresh_hash, rotation_request_id = $4, address = $5,
      last_used_at = greatest($6, created_at), expires_at = greatest($7, expires_at)
    where id = $1 and refresh_hash = $2 and revoked_at is null
    returning id
    """
  let id: SessionID
  let old: [UInt8]
  let new: [UInt8]
  let requestID: UUID7?
  let address: String
  let now: Instant

  public init(id: SessionID, from old: [UInt8], to new: [UInt8], requestID: UUID7?, address: String, now: Instant) {
    self.id = id
    self.old = old
    self.new = new
    self.requestID = requestID
    self.address = address
    self.now = now
  }

  public func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(old)
    p.append(new)
    p.append(requestID)
    p.append(address)
    p.append(now)
    p.append(now + Lifetimes.refreshToken)
  }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> SessionID { try row.next() }
}

/// Ends a session, where it has not ended yet.
public struct RevokeSession: Statement {
  public typealias Row = Void
  // The database's clock: replicas find what is new by it, and their own clocks may differ.
  public static let sql = "update sessions set revoked_at = clock_timestamp() where id = $1 and revoked_at is null"
  let id: SessionID

  public init(_ id: SessionID) { self.id = id }

  public func bind(_ p: inout Parameters) { p.append(id) }
}

/// The sessions that ended within the last so many seconds.
public struct RevokedSessions: Statement {
  public static let sql = """
    select id from sessions where revoked_at > clock_timestamp() - make_interval(secs => $1)
    """
  let seconds: Double

  public init(within window: Duration) { seconds = window / .seconds(1) }

  public func bind(_ p: inout Parameters) { p.append(seconds) }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> SessionID { try row.next() }
}
