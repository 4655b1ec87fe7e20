// Made from sessions.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// Adds a session.
package struct InsertSession: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into sessions
      (id, account_id, family_hash, refresh_hash, device_label, address, created_at, last_used_at, expires_at, proved_at)
    values (
      $1, $2, $3, $4, $5, $6, $7, $7, $8, $9
    )
    """
  package let sessionID: SessionID
  package let userID: UserID
  package let familyHash: [UInt8]
  package let refreshHash: [UInt8]
  package let deviceLabel: String
  package let address: String
  package let now: Instant
  package let expiresAt: Instant
  /// When the user authenticated; `nil` for now.
  package let provedAt: Instant?

  package init(
    sessionID: SessionID, userID: UserID, familyHash: [UInt8], refreshHash: [UInt8], deviceLabel: String,
    address: String, now: Instant, expiresAt: Instant, provedAt: Instant?) {
    self.sessionID = sessionID
    self.userID = userID
    self.familyHash = familyHash
    self.refreshHash = refreshHash
    self.deviceLabel = deviceLabel
    self.address = address
    self.now = now
    self.expiresAt = expiresAt
    self.provedAt = provedAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
    p.append(userID)
    p.append(familyHash)
    p.append(refreshHash)
    p.append(deviceLabel)
    p.append(address)
    p.append(now)
    p.append(expiresAt)
    p.append(provedAt)
  }
}

/// The sessions of an account beyond those that were used last: they have not ended yet, and there are too many.
package struct SurplusSessions: Statement {
  package typealias Row = SessionID
  package static let sql = """
    select id from sessions
    where account_id = $1 and revoked_at is null and expires_at > $2
    order by last_used_at desc, created_at desc, id desc offset $3 limit 100
    """
  package let userID: UserID
  package let now: Instant
  package let kept: Int64

  package init(userID: UserID, now: Instant, kept: Int64) {
    self.userID = userID
    self.now = now
    self.kept = kept
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(now)
    p.append(kept)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The session that a refresh token belongs to, whether the token is its current one or not: what decides on using the
/// token.
package struct SessionByFamily: SingleRowStatement {
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
    select
      id, account_id as user_id, refresh_hash as current_hash, previous_hash, rotation_request_id, created_at,
      last_used_at, revoked_at
    from sessions where family_hash = $1
    """
  package let familyHash: [UInt8]

  package init(familyHash: [UInt8]) {
    self.familyHash = familyHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(familyHash)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), userID: try row.next(), currentHash: try row.next(), previousHash: try row.next(),
      rotationRequestID: try row.next(), createdAt: try row.next(), lastUsedAt: try row.next(),
      revokedAt: try row.next())
  }
}

/// Replaces a session's refresh token if it is still the given one; no row if another use came first ([ID-6]).
package struct RotateSession: SingleRowStatement {
  package typealias Row = SessionID
  package static let sql = """
    update sessions
    set refresh_hash = $1, previous_hash = refresh_hash, rotation_request_id = $2, address = $3,
      last_used_at = greatest($4, created_at), expires_at = greatest($5, expires_at)
    where id = $6 and refresh_hash = $7 and revoked_at is null
    returning id
    """
  package let newHash: [UInt8]
  package let requestID: UUID7?
  package let address: String
  package let now: Instant
  package let expiresAt: Instant
  package let sessionID: SessionID
  package let oldHash: [UInt8]

  package init(
    newHash: [UInt8], requestID: UUID7?, address: String, now: Instant, expiresAt: Instant, sessionID: SessionID,
    oldHash: [UInt8]) {
    self.newHash = newHash
    self.requestID = requestID
    self.address = address
    self.now = now
    self.expiresAt = expiresAt
    self.sessionID = sessionID
    self.oldHash = oldHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(newHash)
    p.append(requestID)
    p.append(address)
    p.append(now)
    p.append(expiresAt)
    p.append(sessionID)
    p.append(oldHash)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Keeps the account of a session from being deleted until the transaction ends; no row if both are deleted.
package struct HoldSessionOwner: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select id from accounts where id = (select account_id from sessions where id = $1) for key share
    """
  package let sessionID: SessionID

  package init(sessionID: SessionID) {
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A session of an account; no row if there is none, or it has ended.
package struct LivingSession: SingleRowStatement {
  package typealias Row = SessionID
  package static let sql = """
    select id from sessions where id = $1 and account_id = $2 and revoked_at is null
    """
  package let sessionID: SessionID
  package let userID: UserID

  package init(sessionID: SessionID, userID: UserID) {
    self.sessionID = sessionID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Ends a session; no row if it has ended already.
package struct RevokeSession: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    update sessions
    set revoked_at = clock_timestamp() where id = $1 and revoked_at is null
    returning account_id
    """
  package let sessionID: SessionID

  package init(sessionID: SessionID) {
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Ends every session of an account but one, and drops a change of address that another session requested ([ID-15]); a
/// row for each session that had not ended before.
package struct RevokeSessions: Statement {
  package typealias Row = SessionID
  package static let sql = """
    with ended as (
      update sessions set revoked_at = clock_timestamp()
      where account_id = $1 and revoked_at is null and id is distinct from $2
      returning id
    ), dropped as (
      delete from email_changes
      where account_id = $1 and confirmed_at is null and session_id is distinct from $2
    )
    select id from ended
    """
  package let userID: UserID
  /// `nil` to end all.
  package let keptID: SessionID?

  package init(userID: UserID, keptID: SessionID?) {
    self.userID = userID
    self.keptID = keptID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(keptID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The sessions that ended within the last seconds.
package struct RevokedSessions: Statement {
  package typealias Row = SessionID
  package static let pace = Pace.slow
  package static let sql = """
    select id as session_id from sessions where revoked_at > clock_timestamp() - make_interval(secs => $1)
    union
    select key::uuid from events where topic = $2 and occurred_at > $3
    """
  package let seconds: Double
  /// That of ends of sessions.
  package let topic: String
  /// As `seconds` ago, by the time of events.
  package let since: Instant

  package init(seconds: Double, topic: String, since: Instant) {
    self.seconds = seconds
    self.topic = topic
    self.since = since
  }

  package func bind(_ p: inout Parameters) {
    p.append(seconds)
    p.append(topic)
    p.append(since)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Keeps a session from being ended until the transaction ends; no row if it has ended.
package struct HoldSession: SingleRowStatement {
  package typealias Row = SessionID
  package static let sql = """
    select id from sessions where id = $1 and account_id = $2 and revoked_at is null for share
    """
  package let sessionID: SessionID
  package let userID: UserID

  package init(sessionID: SessionID, userID: UserID) {
    self.sessionID = sessionID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A page of an account's sessions that have neither ended nor expired, the latest login first ([C-5]).
package struct SessionsBefore: Statement {
  package struct Row: Sendable {
    package let id: SessionID
    /// The client's label of the device; may be empty.
    package let deviceLabel: String
    /// The client's address at the last use, without its port.
    package let address: String
    package let createdAt: Instant
    package let lastUsedAt: Instant
    package let expiresAt: Instant
  }

  package static let sql = """
    select id, device_label, address, created_at, last_used_at, expires_at from sessions
    where account_id = $1 and revoked_at is null and expires_at > $2
      and ($3::timestamptz is null or (created_at, id) < ($3, $4::uuid))
    order by created_at desc, id desc limit $5
    """
  package let userID: UserID
  package let now: Instant
  package let before: Instant?
  package let beforeID: SessionID?
  package let limit: Int64

  package init(userID: UserID, now: Instant, before: Instant?, beforeID: SessionID?, limit: Int64) {
    self.userID = userID
    self.now = now
    self.before = before
    self.beforeID = beforeID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(now)
    p.append(before)
    p.append(beforeID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), deviceLabel: try row.next(), address: try row.next(), createdAt: try row.next(),
      lastUsedAt: try row.next(), expiresAt: try row.next())
  }
}

/// The time at which the user of a session last authenticated; no row if the session has ended.
package struct SessionProof: SingleRowStatement {
  package struct Row: Sendable {
    package let provedAt: Instant
    package let hasPassword: Bool
  }

  package static let sql = """
    select
      coalesce(sessions.proved_at, sessions.created_at) as proved_at,
      accounts.password_hash is not null as has_password
    from sessions join accounts on accounts.id = sessions.account_id
    where sessions.id = $1 and sessions.account_id = $2 and sessions.revoked_at is null
    """
  package let sessionID: SessionID
  package let userID: UserID

  package init(sessionID: SessionID, userID: UserID) {
    self.sessionID = sessionID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(provedAt: try row.next(), hasPassword: try row.next())
  }
}

/// Records that the user of a session has authenticated; no row if the session has ended.
package struct NoteSessionProof: SingleRowStatement {
  package typealias Row = SessionID
  package static let sql = """
    update sessions set proved_at = $1 where id = $2 and account_id = $3 and revoked_at is null
    returning id
    """
  package let now: Instant
  package let sessionID: SessionID
  package let userID: UserID

  package init(now: Instant, sessionID: SessionID, userID: UserID) {
    self.now = now
    self.sessionID = sessionID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(sessionID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes sessions whose last refresh token has expired.
package struct DeleteEndedSessions: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from sessions where id in (
      select id from sessions where expires_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
