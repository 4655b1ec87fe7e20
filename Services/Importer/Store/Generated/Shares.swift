// Made from shares.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import ImporterDomain
import Postgres

/// A stored link to an activity.
package struct StoredActivityShare: Sendable, RowDecodable {
  package let id: ActivityShareID
  package let activityID: ActivityID
  package let createdAt: Instant

  package init(id: ActivityShareID, activityID: ActivityID, createdAt: Instant) {
    self.id = id
    self.activityID = activityID
    self.createdAt = createdAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredActivityShare {
    StoredActivityShare(id: try row.next(), activityID: try row.next(), createdAt: try row.next())
  }
}

/// Stores a link to an activity that the transaction has locked; no row if there are the most links.
package struct InsertActivityShare: SingleRowStatement {
  package typealias Row = StoredActivityShare
  package static let sql = """
    insert into activity_shares as share (id, activity_id, place, user_id, token_hash, created_at)
    select $1, $2, free.place, $3, $4, $5
    from generate_series(1, 20) as free (place)
    where not exists (
      select from activity_shares where activity_id = $2 and activity_shares.place = free.place
    )
    order by free.place
    limit 1
    returning share.id, share.activity_id, share.created_at
    """
  package let shareID: ActivityShareID
  package let activityID: ActivityID
  package let userID: UserID
  package let tokenHash: [UInt8]
  package let now: Instant

  package init(shareID: ActivityShareID, activityID: ActivityID, userID: UserID, tokenHash: [UInt8], now: Instant) {
    self.shareID = shareID
    self.activityID = activityID
    self.userID = userID
    self.tokenHash = tokenHash
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(shareID)
    p.append(activityID)
    p.append(userID)
    p.append(tokenHash)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredActivityShare.decode(row)
  }
}

/// A user's links to an activity, the newest first: there are 20 at most.
package struct SharesOfActivity: Statement {
  package typealias Row = StoredActivityShare
  package static let sql = """
    select share.id, share.activity_id, share.created_at from activity_shares as share
    where share.activity_id = $1 and share.user_id = $2
    order by share.id desc
    """
  package let activityID: ActivityID
  package let userID: UserID

  package init(activityID: ActivityID, userID: UserID) {
    self.activityID = activityID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(activityID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredActivityShare.decode(row)
  }
}

/// Removes one of a user's links; no row if it does not exist.
package struct DeleteActivityShare: SingleRowStatement {
  package typealias Row = ActivityShareID
  package static let sql = """
    delete from activity_shares where id = $1 and user_id = $2 returning id
    """
  package let shareID: ActivityShareID
  package let userID: UserID

  package init(shareID: ActivityShareID, userID: UserID) {
    self.shareID = shareID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(shareID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes a user's links ([C-9]).
package struct DeleteActivitySharesOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from activity_shares where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Locks an activity of a user until the transaction ends; no row if there is none.
package struct LockActivity: SingleRowStatement {
  package typealias Row = ActivityID
  package static let sql = """
    select id from activities where id = $1 and user_id = $2 and $2 <> all(array(select user_id from erasures)) for no key update
    """
  package let activityID: ActivityID
  package let userID: UserID

  package init(activityID: ActivityID, userID: UserID) {
    self.activityID = activityID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(activityID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The figures of the activity that a link shares, and nothing that says where it was.
package struct SharedActivityByToken: SingleRowStatement {
  package struct Row: Sendable {
    package let sport: Sport
    package let startedAt: Instant
    package let timeZone: String
    package let durationS: Double
    package let movingS: Double?
    package let distanceM: Double?
  }

  package static let sql = """
    select
      activity.sport, activity.started_at, activity.time_zone, activity.duration_s, activity.moving_s, activity.distance_m
    from activity_shares as share
    join activities as activity on activity.id = share.activity_id
    where share.token_hash = $1
    """
  package let tokenHash: [UInt8]

  package init(tokenHash: [UInt8]) {
    self.tokenHash = tokenHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(tokenHash)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      sport: try row.next(), startedAt: try row.next(), timeZone: try row.next(), durationS: try row.next(),
      movingS: try row.next(), distanceM: try row.next())
  }
}

/// The day of a moment in a zone, whose name the database knows.
package struct DayInZone: SingleRowStatement {
  package typealias Row = CivilDate
  package static let sql = """
    select ($1::timestamptz at time zone $2)::date as day
    """
  package let moment: Instant
  package let zone: String

  package init(moment: Instant, zone: String) {
    self.moment = moment
    self.zone = zone
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(zone)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The end of the window of an address that has tried too often; no row if it has not.
package struct ShareMissesOver: SingleRowStatement {
  package typealias Row = Instant
  package static let sql = """
    select window_ends_at from share_misses
    where address_hash = $1 and window_ends_at > $2 and misses >= $3
    """
  /// SHA-256 of the address.
  package let addressHash: [UInt8]
  package let now: Instant
  /// Attempts within the window.
  package let most: Int32

  package init(addressHash: [UInt8], now: Instant, most: Int32) {
    self.addressHash = addressHash
    self.now = now
    self.most = most
  }

  package func bind(_ p: inout Parameters) {
    p.append(addressHash)
    p.append(now)
    p.append(most)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Counts an attempt at an unknown link.
package struct CountShareMiss: Statement {
  package typealias Row = Void
  package static let sql = """
    with over as (
      delete from share_misses where address_hash in (
        select address_hash from share_misses where window_ends_at <= $1 and address_hash <> $2
        limit 10 for update skip locked
      )
    )
    insert into share_misses (address_hash, window_ends_at, misses) values ($2, $3, 1)
    on conflict on constraint share_misses_pkey do update
    set misses = case when share_misses.window_ends_at <= $1 then 1 else share_misses.misses + 1 end,
      window_ends_at = case
        when share_misses.window_ends_at <= $1 then $3 else share_misses.window_ends_at
      end
    """
  package let now: Instant
  /// SHA-256 of the address.
  package let addressHash: [UInt8]
  /// Of a window that begins now.
  package let windowEndsAt: Instant

  package init(now: Instant, addressHash: [UInt8], windowEndsAt: Instant) {
    self.now = now
    self.addressHash = addressHash
    self.windowEndsAt = windowEndsAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(addressHash)
    p.append(windowEndsAt)
  }
}
