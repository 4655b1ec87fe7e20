// Made from quotas.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Images
import Postgres

/// Counts an upload of a user; returns the start of the window and the uploads in it, a refused one included.
struct TakeUpload: SingleRowStatement {
  struct Row: Sendable {
    let beganAt: Instant
    let uploads: Int32
  }

  static let sql = """
    insert into picture_quotas as quota (user_id, began_at, uploads) values ($1, $2, 1)
    on conflict on constraint picture_quotas_pkey do update set
      began_at = case when quota.began_at <= $3 then excluded.began_at else quota.began_at end,
      uploads = case when quota.began_at <= $3 then 1 else least(quota.uploads, $4) + 1 end
    returning began_at, uploads
    """
  let userID: UserID
  let now: Instant
  /// A window that began then or before is over.
  let expiredAt: Instant
  /// More uploads than one above it are not counted.
  let limit: Int32

  init(userID: UserID, now: Instant, expiredAt: Instant, limit: Int32) {
    self.userID = userID
    self.now = now
    self.expiredAt = expiredAt
    self.limit = limit
  }

  func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(now)
    p.append(expiredAt)
    p.append(limit)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(beganAt: try row.next(), uploads: try row.next())
  }
}

/// Removes some counts whose window is over.
public struct DeleteOldQuotas: Statement {
  public typealias Row = Int32
  public static let sql = """
    delete from picture_quotas where user_id in (
      select user_id from picture_quotas where began_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  public let moment: Instant
  public let limit: Int64

  public init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  public func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  public static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes a user's count of uploads ([C-9]); what a call in progress still counts is removed within the hour.
public struct DeleteQuotaOfUser: Statement {
  public typealias Row = Void
  public static let sql = """
    delete from picture_quotas where user_id = $1
    """
  public let userID: UserID

  public init(userID: UserID) {
    self.userID = userID
  }

  public func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}
