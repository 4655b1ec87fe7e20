// Made from devices.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// A device that notifications are pushed to.
package struct StoredDevice: Sendable, Equatable, RowDecodable {
  package let id: DeviceID
  package let platform: String
  package let registeredAt: Instant
  /// The session that registered it; `nil` for one that was registered before this was stored.
  package let sessionID: SessionID?
  /// The label of that session; may be empty.
  package let deviceLabel: String

  package init(id: DeviceID, platform: String, registeredAt: Instant, sessionID: SessionID?, deviceLabel: String) {
    self.id = id
    self.platform = platform
    self.registeredAt = registeredAt
    self.sessionID = sessionID
    self.deviceLabel = deviceLabel
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredDevice {
    StoredDevice(
      id: try row.next(), platform: try row.next(), registeredAt: try row.next(), sessionID: try row.next(),
      deviceLabel: try row.next())
  }
}

/// Registers a device by its token, or updates it; returns no row when another user registers the token at the same
/// moment.
package struct RegisterDevice: SingleRowStatement {
  package typealias Row = StoredDevice
  package static let sql = """
    insert into devices as device (id, account_id, session_id, platform, token_hash, sealed_token, registered_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict on constraint devices_token_hash_key do update
    set platform = excluded.platform, token = null, sealed_token = excluded.sealed_token,
      registered_at = excluded.registered_at, session_id = excluded.session_id
    where device.account_id = excluded.account_id
    returning id, platform, registered_at, session_id,
    coalesce((select sessions.device_label from sessions where sessions.id = session_id), '') as device_label
    """
  package let deviceID: DeviceID
  package let userID: UserID
  package let sessionID: SessionID
  package let platform: String
  package let tokenHash: [UInt8]
  package let sealedToken: [UInt8]
  package let now: Instant

  package init(
    deviceID: DeviceID, userID: UserID, sessionID: SessionID, platform: String, tokenHash: [UInt8],
    sealedToken: [UInt8], now: Instant) {
    self.deviceID = deviceID
    self.userID = userID
    self.sessionID = sessionID
    self.platform = platform
    self.tokenHash = tokenHash
    self.sealedToken = sealedToken
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(deviceID)
    p.append(userID)
    p.append(sessionID)
    p.append(platform)
    p.append(tokenHash)
    p.append(sealedToken)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredDevice.decode(row)
  }
}

/// Removes the devices of an account beyond the newest `kept`.
package struct DropSurplusDevices: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from devices where id in (
      select id from devices where account_id = $1 order by registered_at desc, id desc offset $2
    )
    """
  package let userID: UserID
  package let kept: Int64

  package init(userID: UserID, kept: Int64) {
    self.userID = userID
    self.kept = kept
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(kept)
  }
}

/// Removes devices of other users with this token. Their pending pushes are cancelled.
package struct ReleaseToken: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from devices where token_hash = $1 and account_id <> $2
    """
  package let tokenHash: [UInt8]
  package let userID: UserID

  package init(tokenHash: [UInt8], userID: UserID) {
    self.tokenHash = tokenHash
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(tokenHash)
    p.append(userID)
  }
}

/// Removes a device of an account; returns no row when it has no such device.
package struct DropDevice: SingleRowStatement {
  package typealias Row = DeviceID
  package static let sql = """
    delete from devices where id = $1 and account_id = $2 returning id
    """
  package let deviceID: DeviceID
  package let userID: UserID

  package init(deviceID: DeviceID, userID: UserID) {
    self.deviceID = deviceID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(deviceID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes the devices that a session registered last, after it was ended: a statement of its own, which sees those that
/// were registered while the end waited ([ID-62]).
package struct DropDevicesOfSession: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from devices where session_id = $1
    """
  package let sessionID: SessionID

  package init(sessionID: SessionID) {
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
  }
}

/// Removes the devices of an account that one session did not register, after the other sessions were ended ([ID-62]).
package struct DropDevicesOfOthers: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from devices where account_id = $1 and (session_id is null or session_id is distinct from $2)
    """
  package let userID: UserID
  /// `nil` to remove all.
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

/// Removes a device whose token the gateway reports as gone, with its pending pushes; a device with a replaced token
/// stays ([ID-62]).
package struct DropGoneDevice: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from devices where id = $1 and token_hash = $2
    """
  package let deviceID: DeviceID
  package let tokenHash: [UInt8]

  package init(deviceID: DeviceID, tokenHash: [UInt8]) {
    self.deviceID = deviceID
    self.tokenHash = tokenHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(deviceID)
    p.append(tokenHash)
  }
}

/// Selects a page of a user's devices, most recently registered first.
package struct DevicesBefore: Statement {
  package typealias Row = StoredDevice
  package static let sql = """
    select id, platform, registered_at, session_id,
    coalesce((select sessions.device_label from sessions where sessions.id = session_id), '') as device_label from devices
    where account_id = $1
      and ($2::timestamptz is null or (registered_at, id) < ($2::timestamptz, $3::uuid))
    order by registered_at desc, id desc limit $4
    """
  package let userID: UserID
  /// When the last device of the previous page was registered; `nil` for the first page.
  package let beforeTime: Instant?
  /// That device.
  package let beforeID: DeviceID?
  package let limit: Int64

  package init(userID: UserID, beforeTime: Instant?, beforeID: DeviceID?, limit: Int64) {
    self.userID = userID
    self.beforeTime = beforeTime
    self.beforeID = beforeID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(beforeTime)
    p.append(beforeID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredDevice.decode(row)
  }
}

/// Selects devices whose tokens are not sealed with the current key, after a given one, in the order of their ids; each
/// with its token as stored: plain, or sealed with an earlier key.
package struct DevicesToSeal: Statement {
  package struct Row: Sendable {
    package let id: DeviceID
    package let tokenHash: [UInt8]
    package let plainToken: String?
    package let sealedToken: [UInt8]?
  }

  package static let sql = """
    select id, token_hash, token as plain_token, sealed_token from devices
    where (sealed_token is null or substr(sealed_token, 1, octet_length($1::bytea)) <> $1) and id > $2
    order by id limit $3
    """
  /// The prefix of every text that is sealed with the current key.
  package let prefix: [UInt8]
  package let after: DeviceID
  package let limit: Int64

  package init(prefix: [UInt8], after: DeviceID, limit: Int64) {
    self.prefix = prefix
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(prefix)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(id: try row.next(), tokenHash: try row.next(), plainToken: try row.next(), sealedToken: try row.next())
  }
}

/// Replaces the stored token of a device by a newly sealed one.
package struct SealDevice: Statement {
  package typealias Row = Void
  package static let sql = """
    update devices set sealed_token = $1, token = null where id = $2 and token_hash = $3
    """
  package let sealedToken: [UInt8]
  package let deviceID: DeviceID
  package let tokenHash: [UInt8]

  package init(sealedToken: [UInt8], deviceID: DeviceID, tokenHash: [UInt8]) {
    self.sealedToken = sealedToken
    self.deviceID = deviceID
    self.tokenHash = tokenHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(sealedToken)
    p.append(deviceID)
    p.append(tokenHash)
  }
}
