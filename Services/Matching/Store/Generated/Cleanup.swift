// Made from cleanup.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import MatchingDomain
import Postgres

/// Some of the sessions of which a user is a participant.
package struct SessionsOfDeletedAccount: Statement {
  package typealias Row = SessionID
  package static let sql = """
    select id as session_id from (
      (select id from sessions where owner_id = $1 order by id limit $2)
      union
      (select id from sessions where partner_id = $1 order by id limit $2)
    ) as found
    order by id limit $2
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes a user who deleted the account from a session that is over; the other participant is told by [C-11].
package struct ForgetParticipant: Statement {
  package typealias Row = Void
  package static let sql = """
    with session as (
      update sessions
      set owner_id = nullif(owner_id, $1), partner_id = nullif(partner_id, $1), revision = revision + 1
      where id = $2
      returning id
    )
    update participations set changed_in = pg_current_xact_id()
    from session where participations.session_id = session.id and participations.present
    """
  package let userID: UserID
  package let sessionID: SessionID

  package init(userID: UserID, sessionID: SessionID) {
    self.userID = userID
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(sessionID)
  }
}

/// Ends a matched session that has begun because a participant deleted the account; nobody is barred.
package struct FailMatchedSession: Statement {
  package typealias Row = Void
  package static let sql = """
    with session as (
      update sessions set state = 'FAILED', revision = revision + 1, updated_at = $1
      where id = $2 and state = 'MATCHED'
      returning id
    )
    update participations set active = false, changed_in = pg_current_xact_id()
    from session where participations.session_id = session.id
    """
  package let now: Instant
  package let sessionID: SessionID

  package init(now: Instant, sessionID: SessionID) {
    self.now = now
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(sessionID)
  }
}

/// Removes some of the participations of a user ([C-9]).
package struct DeleteParticipationsOfUser: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from participations where user_id = $1 and session_id in (
      select session_id from participations where user_id = $1 order by session_id limit $2
    ) returning true as removed
    """
  package let userID: UserID
  package let limit: Int64

  package init(userID: UserID, limit: Int64) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Some of the matched sessions of two users of whom one has blocked the other ([C-10]); none if the block was removed meanwhile.
package struct SessionsBetween: Statement {
  package typealias Row = SessionID
  package static let sql = """
    select id as session_id from (
      select id from sessions where owner_id = $1 and partner_id = $2 and state = 'MATCHED' and starts_at > $3
      union
      select id from sessions where owner_id = $2 and partner_id = $1 and state = 'MATCHED' and starts_at > $3
    ) as found
    where exists (select from blocks where blocker_id = $1 and blocked_id = $2)
    order by id limit $4
    """
  package let blockerID: UserID
  package let blockedID: UserID
  package let now: Instant
  package let limit: Int64

  package init(blockerID: UserID, blockedID: UserID, now: Instant, limit: Int64) {
    self.blockerID = blockerID
    self.blockedID = blockedID
    self.now = now
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(blockerID)
    p.append(blockedID)
    p.append(now)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The matched session that so many others precede; no row if fewer follow.
package struct MatchFurtherOn: SingleRowStatement {
  package typealias Row = SessionID
  package static let pace = Pace.slow
  package static let sql = """
    select id from sessions where state = 'MATCHED' and starts_at > $1 and id > $2
    order by id offset $3::bigint limit 1
    """
  package let now: Instant
  package let afterSessionID: SessionID
  package let skipped: Int64

  package init(now: Instant, afterSessionID: SessionID, skipped: Int64) {
    self.now = now
    self.afterSessionID = afterSessionID
    self.skipped = skipped
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(afterSessionID)
    p.append(skipped)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Some of the matched sessions between users of whom one has blocked the other ([C-10]), in the order of their ids. Blocks are looked up for
/// each session: as a join with `or`, every session is looked at for each page.
package struct BlockedMatches: Statement {
  package struct Row: Sendable {
    package let sessionID: SessionID
    package let blockerID: UserID
    package let blockedID: UserID
  }

  package static let pace = Pace.slow
  package static let sql = """
    select session.id as session_id, block.blocker_id as blocker_id, block.blocked_id as blocked_id
    from sessions as session cross join lateral (
      select blocker_id, blocked_id from blocks
      where blocks.blocker_id = session.owner_id and blocks.blocked_id = session.partner_id
      union all
      select blocker_id, blocked_id from blocks
      where blocks.blocker_id = session.partner_id and blocks.blocked_id = session.owner_id
    ) as block
    where session.state = 'MATCHED' and session.starts_at > $1 and session.id > $2
      and session.id <= coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    order by session.id, block.blocker_id limit $4
    """
  package let now: Instant
  package let afterSessionID: SessionID
  /// The last session to look at; `nil` for all.
  package let untilSessionID: SessionID?
  package let limit: Int64

  package init(now: Instant, afterSessionID: SessionID, untilSessionID: SessionID?, limit: Int64) {
    self.now = now
    self.afterSessionID = afterSessionID
    self.untilSessionID = untilSessionID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(afterSessionID)
    p.append(untilSessionID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(sessionID: try row.next(), blockerID: try row.next(), blockedID: try row.next())
  }
}

/// Removes gyms whose sessions have all started.
package struct DeleteOldGyms: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from gyms where id in (
      select id from gyms where last_start <= $1 limit $2 for update skip locked
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
