// Made from news.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// Counts what users, each once, begin or others are to be notified of; returns what was counted in each user's window, this included. The
/// users' rows of `trackers` are locked.
package struct CountNews: Statement {
  package struct Row: Sendable {
    package let userID: UserID
    package let beganAt: Instant
    package let journeys: Int32
    package let alerts: Int32
    package let stops: Int32
    package let visits: Int32
  }

  package static let sql = """
    insert into news_quotas as quota (user_id, began_at, journeys, alerts, stops, visits)
    select user_id, $1::timestamptz, journeys, alerts, stops, visits
    from unnest($2::uuid[], $3::integer[], $4::integer[], $5::integer[], $6::integer[])
      as counted (user_id, journeys, alerts, stops, visits)
    order by user_id
    on conflict on constraint news_quotas_pkey do update set
      began_at = case when quota.began_at <= $7 then excluded.began_at else quota.began_at end,
      journeys = excluded.journeys + case when quota.began_at <= $7 then 0 else quota.journeys end,
      alerts = excluded.alerts + case when quota.began_at <= $7 then 0 else quota.alerts end,
      stops = excluded.stops + case when quota.began_at <= $7 then 0 else quota.stops end,
      visits = excluded.visits + case when quota.began_at <= $7 then 0 else quota.visits end
    returning user_id, began_at, journeys, alerts, stops, visits
    """
  package let now: Instant
  package let userIDs: [UserID]
  package let journeys: [Int32]
  package let alerts: [Int32]
  package let stops: [Int32]
  package let visits: [Int32]
  /// A window that began then or before is over.
  package let expiredAt: Instant

  package init(
    now: Instant, userIDs: [UserID], journeys: [Int32], alerts: [Int32], stops: [Int32], visits: [Int32],
    expiredAt: Instant) {
    self.now = now
    self.userIDs = userIDs
    self.journeys = journeys
    self.alerts = alerts
    self.stops = stops
    self.visits = visits
    self.expiredAt = expiredAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userIDs)
    p.append(journeys)
    p.append(alerts)
    p.append(stops)
    p.append(visits)
    p.append(expiredAt)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      userID: try row.next(), beganAt: try row.next(), journeys: try row.next(), alerts: try row.next(),
      stops: try row.next(), visits: try row.next())
  }
}

/// Removes some counts whose window is over.
package struct DeleteOldNewsQuotas: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from news_quotas where user_id in (
      select user_id from news_quotas where began_at <= $1 limit $2 for update skip locked
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

/// Removes the counts of a user who deleted the account ([C-9]).
package struct DeleteNewsQuotaOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from news_quotas where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}
