// Made from bars.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import MatchingDomain
import Postgres

package struct StoredBar: Sendable, RowDecodable {
  package let id: BarID
  package let userID: UserID
  package let sessionID: SessionID
  package let cause: BarCause
  package let beganAt: Instant
  package let endsAt: Instant
  package let liftedAt: Instant?

  package init(
    id: BarID, userID: UserID, sessionID: SessionID, cause: BarCause, beganAt: Instant, endsAt: Instant,
    liftedAt: Instant?) {
    self.id = id
    self.userID = userID
    self.sessionID = sessionID
    self.cause = cause
    self.beganAt = beganAt
    self.endsAt = endsAt
    self.liftedAt = liftedAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredBar {
    StoredBar(
      id: try row.next(), userID: try row.next(), sessionID: try row.next(), cause: try row.next(),
      beganAt: try row.next(), endsAt: try row.next(), liftedAt: try row.next())
  }
}

/// Bars a user, with the first entry of its audit trail ([MA-7], [MA-14]).
package struct ImposeBar: Statement {
  package typealias Row = Void
  package static let sql = """
    with bar as (
      insert into bars (id, user_id, session_id, cause, began_at, ends_at)
      values ($1, $2, $3, $4, $5, $6)
      on conflict on constraint bars_once do nothing
      returning id
    )
    insert into bar_changes (bar_id, number, change, actor, reason, happened_at)
    select id, 1, 'IMPOSED', 'matching', '', $5 from bar
    """
  package let barID: BarID
  package let userID: UserID
  package let sessionID: SessionID
  package let cause: BarCause
  package let now: Instant
  package let endsAt: Instant

  package init(barID: BarID, userID: UserID, sessionID: SessionID, cause: BarCause, now: Instant, endsAt: Instant) {
    self.barID = barID
    self.userID = userID
    self.sessionID = sessionID
    self.cause = cause
    self.now = now
    self.endsAt = endsAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(barID)
    p.append(userID)
    p.append(sessionID)
    p.append(cause)
    p.append(now)
    p.append(endsAt)
  }
}

/// A page of a user's bars, the newest first ([MA-14]).
package struct BarsOfUser: Statement {
  package typealias Row = StoredBar
  package static let sql = """
    select id, user_id, session_id, cause, began_at, ends_at, lifted_at from bars where user_id = $1 and id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    order by id desc limit $3
    """
  package let userID: UserID
  package let beforeBarID: BarID?
  package let limit: Int64

  package init(userID: UserID, beforeBarID: BarID?, limit: Int64) {
    self.userID = userID
    self.beforeBarID = beforeBarID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(beforeBarID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredBar.decode(row)
  }
}

/// A page of bars, of one user or of all, the newest first.
package struct BarsForOperators: Statement {
  package struct Row: Sendable {
    package let bar: StoredBar
    package let username: String
  }

  package static let pace = Pace.slow
  package static let sql = """
    select id, user_id, session_id, cause, began_at, ends_at, lifted_at, coalesce((select username from users where users.id = bars.user_id), '') as username
    from bars
    where ($1::uuid is null or user_id = $1)
      and ($2::boolean or (lifted_at is null and ends_at > $3))
      and id < coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    order by id desc limit $5
    """
  package let userID: UserID?
  package let includesEnded: Bool
  package let now: Instant
  package let beforeBarID: BarID?
  package let limit: Int64

  package init(userID: UserID?, includesEnded: Bool, now: Instant, beforeBarID: BarID?, limit: Int64) {
    self.userID = userID
    self.includesEnded = includesEnded
    self.now = now
    self.beforeBarID = beforeBarID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(includesEnded)
    p.append(now)
    p.append(beforeBarID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(bar: try StoredBar.decode(row), username: try row.next())
  }
}

/// A bar.
package struct BarByID: SingleRowStatement {
  package struct Row: Sendable {
    package let bar: StoredBar
    package let username: String
  }

  package static let sql = """
    select id, user_id, session_id, cause, began_at, ends_at, lifted_at, coalesce((select username from users where users.id = bars.user_id), '') as username
    from bars where id = $1
    """
  package let barID: BarID

  package init(barID: BarID) {
    self.barID = barID
  }

  package func bind(_ p: inout Parameters) {
    p.append(barID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(bar: try StoredBar.decode(row), username: try row.next())
  }
}

/// The audit trails of some bars, in order.
package struct ChangesOfBars: Statement {
  package struct Row: Sendable {
    package let barID: BarID
    package let change: String
    package let actor: String
    package let reason: String
    package let happenedAt: Instant
  }

  package static let sql = """
    select bar_id, change, actor, reason, happened_at from bar_changes where bar_id = any($1::uuid[])
    order by bar_id, number
    """
  package let barIDs: [BarID]

  package init(barIDs: [BarID]) {
    self.barIDs = barIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(barIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      barID: try row.next(), change: try row.next(), actor: try row.next(), reason: try row.next(),
      happenedAt: try row.next())
  }
}

/// Lifts a bar, with an entry in its audit trail; no row if there is none, or it was lifted before.
package struct LiftStoredBar: SingleRowStatement {
  package typealias Row = BarID
  package static let sql = """
    with bar as (
      update bars set lifted_at = $1 where id = $2 and lifted_at is null returning id
    )
    insert into bar_changes (bar_id, number, change, actor, reason, happened_at)
    select bar.id, (select max(number) + 1 from bar_changes where bar_id = bar.id), 'LIFTED', $3, $4, $1 from bar
    returning bar_id
    """
  package let now: Instant
  package let barID: BarID
  package let actor: String
  package let reason: String

  package init(now: Instant, barID: BarID, actor: String, reason: String) {
    self.now = now
    self.barID = barID
    self.actor = actor
    self.reason = reason
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(barID)
    p.append(actor)
    p.append(reason)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Lifts the bars of a user who left sessions of another by blocking them, with an entry in the audit trails: the user has reported the other. The
/// sessions do not count as missed any more. The transaction has locked the user's row.
package struct LiftBarsOfBlock: Statement {
  package typealias Row = Void
  package static let sql = """
    with lifted as (
      update bars set lifted_at = $1
      where user_id = $2 and cause = 'LATE_CANCELLATION' and began_at = $3 and lifted_at is null
        and exists (
          select from sessions where sessions.id = bars.session_id and $4::uuid in (sessions.owner_id, sessions.partner_id)
        )
      returning id
    ), noted as (
      insert into bar_changes (bar_id, number, change, actor, reason, happened_at)
      select lifted.id, (select max(number) + 1 from bar_changes where bar_id = lifted.id), 'LIFTED', 'matching',
        'reported the user whom they left', $1
      from lifted
    )
    update users set missed = greatest(missed - (select count(*) from lifted), 0)
    where id = $2 and exists (select from lifted)
    """
  package let now: Instant
  package let blockerID: UserID
  package let blockedAt: Instant
  package let blockedID: UserID

  package init(now: Instant, blockerID: UserID, blockedAt: Instant, blockedID: UserID) {
    self.now = now
    self.blockerID = blockerID
    self.blockedAt = blockedAt
    self.blockedID = blockedID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(blockerID)
    p.append(blockedAt)
    p.append(blockedID)
  }
}

/// Removes bars that ended long ago, with their audit trails.
package struct DeleteOldBars: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from bars where id in (
      select id from bars where ends_at <= $1 limit $2 for update skip locked
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

/// Removes the bars of a user, with their audit trails ([C-9]).
package struct DeleteBarsOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from bars where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}
