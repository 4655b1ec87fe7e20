// Made from news.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import MatchingDomain
import Postgres

/// Counts what a user did of which others are notified; what was counted before the window begins anew ([MA-16]).
package struct CountNews: SingleRowStatement {
  package struct Row: Sendable {
    package let beganAt: Instant
    package let joins: Int32
    package let posts: Int32
  }

  package static let sql = """
    insert into news_quotas as quota (user_id, began_at, joins, posts) values ($1, $2, $3, $4)
    on conflict on constraint news_quotas_pkey do update
    set
      began_at = case when quota.began_at <= $5 then excluded.began_at else quota.began_at end,
      joins = excluded.joins + case when quota.began_at <= $5 then 0 else quota.joins end,
      posts = excluded.posts + case when quota.began_at <= $5 then 0 else quota.posts end
    returning began_at, joins, posts
    """
  package let userID: UserID
  package let now: Instant
  package let joins: Int32
  package let posts: Int32
  /// A window that began by then is over.
  package let expiredAt: Instant

  package init(userID: UserID, now: Instant, joins: Int32, posts: Int32, expiredAt: Instant) {
    self.userID = userID
    self.now = now
    self.joins = joins
    self.posts = posts
    self.expiredAt = expiredAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(now)
    p.append(joins)
    p.append(posts)
    p.append(expiredAt)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(beganAt: try row.next(), joins: try row.next(), posts: try row.next())
  }
}

/// Removes what was counted in windows that are over.
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

/// Removes what is counted of a user ([C-9]).
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
