import Events
import IdentityDomain
import Identifiers
import Postgres
import TandemEvents

/// The two hashes by which a session's current refresh token is recognised.
package struct RefreshHashes: Sendable, Equatable {
  /// The hash of the part that all tokens of the session share.
  package let family: [UInt8]
  /// The hash of the part that changes.
  package let secret: [UInt8]

  package init(family: [UInt8], secret: [UInt8]) {
    self.family = family
    self.secret = secret
  }
}

/// Adds a session.
package struct InsertSession: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into sessions
      (id, account_id, family_hash, refresh_hash, device_label, address, created_at, last_used_at, expires_at, proved_at)
    values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9)
    """
  let id: SessionID
  let userID: UserID
  let hashes: RefreshHashes
  let deviceLabel: String
  let address: String
  let provedAt: Instant?
  let now: Instant

  /// - Parameter provedAt: when the user authenticated; `nil` for now.
  package init(
    id: SessionID, userID: UserID, hashes: RefreshHashes, deviceLabel: String, address: String,
    provedAt: Instant?, now: Instant
  ) {
    self.id = id
    self.userID = userID
    self.hashes = hashes
    self.deviceLabel = deviceLabel
    self.address = address
    self.provedAt = provedAt
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(userID)
    p.append(hashes.family)
    p.append(hashes.secret)
    p.append(deviceLabel)
    p.append(address)
    p.append(now)
    p.append(SessionAge.end(of: now, usedAt: now))
    p.append(provedAt)
  }
}

/// Selects the session that a refresh token belongs to, whether the token is its current one or not.
package struct SessionByFamily: Statement {
  /// What decides on using the token.
  package struct Row: Sendable {
    package let id: SessionID
    package let userID: UserID
    package let currentHash: [UInt8]
    package let previousHash: [UInt8]?
    package let rotationRequestID: UUID7?
    package let createdAt: Instant
    package let lastUsedAt: Instant
    package let revokedAt: Instant?
  }

  package static let sql = """
    select id, account_id, refresh_hash, previous_hash, rotation_request_id, created_at, last_used_at, revoked_at
    from sessions where family_hash = $1
    """
  let familyHash: [UInt8]

  package init(familyHash: [UInt8]) { self.familyHash = familyHash }

  package func bind(_ p: inout Parameters) { p.append(familyHash) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), userID: try row.next(), currentHash: try row.next(), previousHash: try row.next(),
      rotationRequestID: try row.next(), createdAt: try row.next(), lastUsedAt: try row.next(),
      revokedAt: try row.next())
  }
}

/// Replaces a session's refresh token if it is still the given one; returns no row when another use came first
/// ([ID-6]).
package struct RotateSession: Statement {
  package typealias Row = SessionID
  package static let sql = """
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
  let expiresAt: Instant

  package init(
    id: SessionID, from old: [UInt8], to new: [UInt8], requestID: UUID7?, address: String, now: Instant,
    expiresAt: Instant
  ) {
    self.id = id
    self.old = old
    self.new = new
    self.requestID = requestID
    self.address = address
    self.now = now
    self.expiresAt = expiresAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(old)
    p.append(new)
    p.append(requestID)
    p.append(address)
    p.append(now)
    p.append(expiresAt)
  }
}

/// Keeps the account of a session from being deleted until the transaction ends; returns no row when both are deleted.
package struct HoldSessionOwner: Statement {
  package typealias Row = UserID
  package static let sql = """
    select id from accounts where id = (select account_id from sessions where id = $1) for key share
    """
  let id: SessionID

  package init(_ id: SessionID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }
}

/// Selects a session of an account; returns no row when there is none, or it has ended.
package struct LivingSession: Statement {
  package typealias Row = SessionID
  package static let sql = "select id from sessions where id = $1 and account_id = $2 and revoked_at is null"
  let id: SessionID
  let userID: UserID

  package init(_ id: SessionID, of userID: UserID) {
    self.id = id
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(userID)
  }
}

/// Ends a session; returns no row when it has ended already.
package struct RevokeSession: Statement {
  package typealias Row = UserID
  // Uses the database's clock: replicas find new ends by it, and their own clocks may differ.
  package static let sql = """
    update sessions set revoked_at = clock_timestamp() where id = $1 and revoked_at is null returning account_id
    """
  let id: SessionID

  package init(_ id: SessionID) { self.id = id }

  package func bind(_ p: inout Parameters) { p.append(id) }
}

/// Ends every session of an account but one; returns a row for each that had not ended before.
package struct RevokeSessions: Statement {
  package typealias Row = SessionID
  package static let sql = """
    update sessions set revoked_at = clock_timestamp()
    where account_id = $1 and revoked_at is null and id is distinct from $2
    returning id
    """
  let userID: UserID
  let exception: SessionID?

  package init(of userID: UserID, except exception: SessionID? = nil) {
    self.userID = userID
    self.exception = exception
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(exception)
  }
}

/// Selects the sessions that ended within the last `window`.
package struct RevokedSessions: Statement {
  package static let pace = Pace.slow
  package typealias Row = SessionID
  // The sessions of a deleted account have no rows, but their events remain. Event times come from the services'
  // clocks, which may differ, so a longer window is read.
  package static let sql = """
    select id from sessions where revoked_at > clock_timestamp() - make_interval(secs => $1)
    union
    select key::uuid from events where topic = $2 and occurred_at > $3
    """
  let seconds: Double
  let since: Instant

  /// - Parameter now: the time of the service's clock.
  package init(within window: Duration, now: Instant) {
    seconds = window / .seconds(1)
    since = now - window - .seconds(60)
  }

  package func bind(_ p: inout Parameters) {
    p.append(seconds)
    p.append(SessionRevoked.topic.name)
    p.append(since)
  }
}
