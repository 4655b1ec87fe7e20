import Identifiers
import Postgres

/// A device that notifications are pushed to.
package struct StoredDevice: Sendable, Equatable {
  package let id: DeviceID
  package let platform: String
  package let registeredAt: Instant

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredDevice {
    StoredDevice(id: try row.next(), platform: try row.next(), registeredAt: try row.next())
  }
}

/// Registers a device by its token, or again; no row when somebody else registers the token at the same moment.
package struct RegisterDevice: Statement {
  package static let sql = """
    insert into devices as device (id, account_id, platform, token, registered_at) values ($1, $2, $3, $4, $5)
    on conflict on constraint devices_token_key do update
    set platform = excluded.platform, registered_at = excluded.registered_at
    where device.account_id = excluded.account_id
    returning id, platform, registered_at
    """
  let id: DeviceID
  let accountID: AccountID
  let platform: String
  let token: String
  let now: Instant

  package init(id: DeviceID, of accountID: AccountID, platform: String, token: String, now: Instant) {
    self.id = id
    self.accountID = accountID
    self.platform = platform
    self.token = token
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(accountID)
    p.append(platform)
    p.append(token)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredDevice {
    try StoredDevice.decode(row)
  }
}

/// Drops the devices of an account beyond its newest so many.
package struct DropSurplusDevices: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from devices where id in (
      select id from devices where account_id = $1 order by registered_at desc, id desc offset $2
    )
    """
  let accountID: AccountID
  let limit: Int64

  package init(of accountID: AccountID, beyond limit: Int) {
    self.accountID = accountID
    self.limit = Int64(limit)
  }

  package func bind(_ p: inout Parameters) {
    p.append(accountID)
    p.append(limit)
  }
}

/// Takes the token away from whoever else registered it. What was on its way to them is not pushed any more.
package struct ReleaseToken: Statement {
  package typealias Row = Void
  package static let sql = "delete from devices where token = $1 and account_id <> $2"
  let token: String
  let accountID: AccountID

  package init(_ token: String, for accountID: AccountID) {
    self.token = token
    self.accountID = accountID
  }

  package func bind(_ p: inout Parameters) {
    p.append(token)
    p.append(accountID)
  }
}

/// Drops a device of an account; no row when it has no such device.
package struct DropDevice: Statement {
  package static let sql = "delete from devices where id = $1 and account_id = $2 returning id"
  let id: DeviceID
  let accountID: AccountID

  package init(_ id: DeviceID, of accountID: AccountID) {
    self.id = id
    self.accountID = accountID
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(accountID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> DeviceID { try row.next() }
}

/// Drops a device whose token the gateway calls gone, with all that was on its way to it; a token that replaced it stays ([ID-62]).
package struct DropGoneDevice: Statement {
  package typealias Row = Void
  package static let sql = "delete from devices where id = $1 and token = $2"
  let id: DeviceID
  let token: String

  package init(_ id: DeviceID, token: String) {
    self.id = id
    self.token = token
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(token)
  }
}
