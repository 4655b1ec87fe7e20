import Identifiers
import Postgres

/// A device that notifications are pushed to.
package struct StoredDevice: RowDecodable, Equatable {
  package let id: DeviceID
  package let platform: String
  package let registeredAt: Instant

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredDevice {
    StoredDevice(id: try row.next(), platform: try row.next(), registeredAt: try row.next())
  }
}

/// A push token in its stored form: found by its hash, and readable only by the service.
package struct KeptToken: Sendable, Equatable {
  /// SHA-256 of the token.
  package let hash: [UInt8]
  package let sealed: [UInt8]

  package init(hash: [UInt8], sealed: [UInt8]) { (self.hash, self.sealed) = (hash, sealed) }
}

/// Registers a device by its token, or updates it; returns no row when another user registers the token at the same
/// moment.
package struct RegisterDevice: Statement {
  package typealias Row = StoredDevice
  package static let sql = """
    insert into devices as device (id, account_id, platform, token_hash, sealed_token, registered_at)
    values ($1, $2, $3, $4, $5, $6)
    on conflict on constraint devices_token_hash_key do update
    set platform = excluded.platform, token = null, sealed_token = excluded.sealed_token,
      registered_at = excluded.registered_at
    where device.account_id = excluded.account_id
    returning id, platform, registered_at
    """
  let id: DeviceID
  let userID: UserID
  let platform: String
  let token: KeptToken
  let now: Instant

  package init(id: DeviceID, of userID: UserID, platform: String, token: KeptToken, now: Instant) {
    self.id = id
    self.userID = userID
    self.platform = platform
    self.token = token
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(userID)
    p.append(platform)
    p.append(token.hash)
    p.append(token.sealed)
    p.append(now)
  }
}

/// Removes the devices of an account beyond the newest `limit`.
package struct DropSurplusDevices: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from devices where id in (
      select id from devices where account_id = $1 order by registered_at desc, id desc offset $2
    )
    """
  let userID: UserID
  let limit: Int64

  package init(of userID: UserID, beyond limit: Int) {
    self.userID = userID
    self.limit = Int64(limit)
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }
}

/// Removes devices of other users with this token. Their pending pushes are cancelled.
package struct ReleaseToken: Statement {
  package typealias Row = Void
  package static let sql = "delete from devices where token_hash = $1 and account_id <> $2"
  let token: KeptToken
  let userID: UserID

  package init(_ token: KeptToken, for userID: UserID) {
    self.token = token
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(token.hash)
    p.append(userID)
  }
}

/// Removes a device of an account; returns no row when it has no such device.
package struct DropDevice: Statement {
  package typealias Row = DeviceID
  package static let sql = "delete from devices where id = $1 and account_id = $2 returning id"
  let id: DeviceID
  let userID: UserID

  package init(_ id: DeviceID, of userID: UserID) {
    self.id = id
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(userID)
  }
}

/// Removes a device whose token the gateway reports as gone, with its pending pushes; a device with a replaced token
/// stays ([ID-62]).
package struct DropGoneDevice: Statement {
  package typealias Row = Void
  package static let sql = "delete from devices where id = $1 and token_hash = $2"
  let id: DeviceID
  let tokenHash: [UInt8]

  package init(_ id: DeviceID, tokenHash: [UInt8]) {
    self.id = id
    self.tokenHash = tokenHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(tokenHash)
  }
}

/// Selects a page of a user's devices, most recently registered first.
package struct DevicesBefore: Statement {
  package typealias Row = StoredDevice
  package static let sql = """
    select id, platform, registered_at from devices
    where account_id = $1 and ($2::timestamptz is null or (registered_at, id) < ($2::timestamptz, $3::uuid))
    order by registered_at desc, id desc limit $4
    """
  let userID: UserID
  let before: (registeredAt: Instant, id: DeviceID)?
  let limit: Int64

  /// - Parameter before: the last device of the previous page; `nil` for the first page.
  package init(of userID: UserID, before: (registeredAt: Instant, id: DeviceID)?, limit: Int) {
    self.userID = userID
    self.before = before
    self.limit = Int64(limit)
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(before?.registeredAt)
    p.append(before?.id)
    p.append(limit)
  }
}

/// Selects devices whose tokens are not sealed with the current key, after a given one, in the order of their ids.
package struct DevicesToSeal: Statement {
  /// A device with its token as stored: plain, or sealed with an earlier key.
  package struct Row: Sendable {
    package let id: DeviceID
    package let tokenHash: [UInt8]
    package let plain: String?
    package let sealed: [UInt8]?
  }

  package static let sql = """
    select id, token_hash, token, sealed_token from devices
    where (sealed_token is null or substr(sealed_token, 1, octet_length($1::bytea)) <> $1) and id > $2 order by id limit $3
    """
  let prefix: [UInt8]
  let after: DeviceID
  let limit: Int64

  /// - Parameter prefix: the prefix of every text that is sealed with the current key.
  package init(prefix: [UInt8], after: DeviceID, limit: Int) {
    self.prefix = prefix
    self.after = after
    self.limit = Int64(limit)
  }

  package func bind(_ p: inout Parameters) {
    p.append(prefix)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(id: try row.next(), tokenHash: try row.next(), plain: try row.next(), sealed: try row.next())
  }
}

/// Replaces the stored token of a device by a newly sealed one.
package struct SealDevice: Statement {
  package typealias Row = Void
  package static let sql = "update devices set sealed_token = $3, token = null where id = $1 and token_hash = $2"
  let id: DeviceID
  let token: KeptToken

  package init(_ id: DeviceID, _ token: KeptToken) {
    self.id = id
    self.token = token
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(token.hash)
    p.append(token.sealed)
  }
}
