// Made from remembered_devices.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// The device that a token was issued to, and its account; no row if the device is unknown, or was forgotten.
package struct RememberedDevice: SingleRowStatement {
  package struct Row: Sendable {
    package let id: RememberedDeviceID
    package let userID: UserID
  }

  package static let sql = """
    select id, account_id as user_id from remembered_devices where token_hash = $1 and expires_at > $2
    """
  package let tokenHash: [UInt8]
  package let now: Instant

  package init(tokenHash: [UInt8], now: Instant) {
    self.tokenHash = tokenHash
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(tokenHash)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(id: try row.next(), userID: try row.next())
  }
}

/// Records a login from a device, which is thereby remembered for longer; no row if it was forgotten meanwhile.
package struct UseRememberedDevice: SingleRowStatement {
  package typealias Row = RememberedDeviceID
  package static let sql = """
    update remembered_devices
    set session_id = $1, last_used_at = greatest($2, created_at),
      expires_at = greatest($3, expires_at)
    where id = $4 and account_id = $5
    returning id
    """
  package let sessionID: SessionID
  package let now: Instant
  package let expiresAt: Instant
  package let rememberedDeviceID: RememberedDeviceID
  package let userID: UserID

  package init(
    sessionID: SessionID, now: Instant, expiresAt: Instant, rememberedDeviceID: RememberedDeviceID, userID: UserID) {
    self.sessionID = sessionID
    self.now = now
    self.expiresAt = expiresAt
    self.rememberedDeviceID = rememberedDeviceID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
    p.append(now)
    p.append(expiresAt)
    p.append(rememberedDeviceID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Remembers a new device of an account that the transaction has locked, and forgets those that were used least recently
/// beyond a number.
package struct RememberDevice: Statement {
  package typealias Row = Void
  package static let sql = """
    with forgotten as (
      delete from remembered_devices where id in (
        select id from remembered_devices where account_id = $1 order by last_used_at desc, id desc offset $2
      )
    )
    insert into remembered_devices (id, account_id, token_hash, session_id, created_at, last_used_at, expires_at)
    values ($3, $1, $4, $5, $6, $6, $7)
    """
  package let userID: UserID
  /// How many others the account keeps.
  package let kept: Int64
  package let rememberedDeviceID: RememberedDeviceID
  package let tokenHash: [UInt8]
  package let sessionID: SessionID
  package let now: Instant
  package let expiresAt: Instant

  package init(
    userID: UserID, kept: Int64, rememberedDeviceID: RememberedDeviceID, tokenHash: [UInt8], sessionID: SessionID,
    now: Instant, expiresAt: Instant) {
    self.userID = userID
    self.kept = kept
    self.rememberedDeviceID = rememberedDeviceID
    self.tokenHash = tokenHash
    self.sessionID = sessionID
    self.now = now
    self.expiresAt = expiresAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(kept)
    p.append(rememberedDeviceID)
    p.append(tokenHash)
    p.append(sessionID)
    p.append(now)
    p.append(expiresAt)
  }
}

/// Forgets the devices of an account, but that of one session.
package struct ForgetDevices: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from remembered_devices where account_id = $1 and session_id is distinct from $2
    """
  package let userID: UserID
  /// `nil` to forget all.
  package let keptID: SessionID?

  package init(userID: UserID, keptID: SessionID?) {
    self.userID = userID
    self.keptID = keptID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(keptID)
  }
}

/// Forgets the device whose last login began a session.
package struct ForgetDeviceOfSession: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from remembered_devices where session_id = $1 and account_id = $2
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
}

/// Removes devices that have not been logged in from for a year.
package struct DeleteExpiredDevices: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from remembered_devices where id in (
      select id from remembered_devices where expires_at <= $1 limit $2 for update skip locked
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
