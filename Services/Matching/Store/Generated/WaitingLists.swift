// Made from waiting_lists.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import MatchingDomain
import Postgres

/// How long a session's waiting list is, for how many sessions a user waits, and the user's number in this list.
package struct WaitingOf: SingleRowStatement {
  package struct Row: Sendable {
    package let inList: Int64
    package let ofUser: Int64
    /// Null if the user does not wait.
    package let number: Int64?
  }

  package static let sql = """
    select
      (select count(*) from waiting_list where session_id = $1) as in_list,
      (select count(*) from waiting_list where user_id = $2 and starts_at > $3) as of_user,
      (select number from waiting_list where session_id = $1 and user_id = $2) as number
    """
  package let sessionID: SessionID
  package let userID: UserID
  package let now: Instant

  package init(sessionID: SessionID, userID: UserID, now: Instant) {
    self.sessionID = sessionID
    self.userID = userID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
    p.append(userID)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(inList: try row.next(), ofUser: try row.next(), number: try row.next())
  }
}

/// Adds a user to the end of the waiting list of a session that the transaction has locked.
package struct InsertWaiting: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into waiting_list (session_id, user_id, number, starts_at, joined_at)
    select $1, $2, coalesce(max(number), 0) + 1, $3, $4
    from waiting_list where session_id = $1
    """
  package let sessionID: SessionID
  package let userID: UserID
  package let startsAt: Instant
  package let now: Instant

  package init(sessionID: SessionID, userID: UserID, startsAt: Instant, now: Instant) {
    self.sessionID = sessionID
    self.userID = userID
    self.startsAt = startsAt
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
    p.append(userID)
    p.append(startsAt)
    p.append(now)
  }
}

/// Removes a user from the waiting list of a session that the transaction has locked; no row if the user does not wait.
package struct DeleteWaiting: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    delete from waiting_list where session_id = $1 and user_id = $2 returning number
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

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The first user of the waiting list of an open session whose slot is free, who is not barred, and whom the session suits ([MA-3], [MA-5]); no
/// row if there is none.
package struct NextWaiting: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select waiting_list.user_id
    from waiting_list
    join sessions on sessions.id = waiting_list.session_id
    join users on users.id = waiting_list.user_id
    where waiting_list.session_id = $1 and sessions.state = 'OPEN' and coalesce(sessions.joins_end_at, sessions.starts_at) > $2 and not users.deleted
      and users.id <> sessions.owner_id
      and not exists (
        select from participations join sessions as own on own.id = participations.session_id
        where participations.user_id = users.id and participations.active and own.state <> 'OPEN'
          and participations.slot && tstzrange(sessions.starts_at, sessions.ends_at)
      )
      and not exists (
        select from bars where bars.user_id = users.id and bars.ends_at > $2 and bars.lifted_at is null
      )
      and sessions.admitted & case users.gender when 'MALE' then 1 when 'FEMALE' then 2 when 'OTHER' then 4 end <> 0
      and (sessions.level in ('ADVANCED', 'EXPERT') or users.level in ('ADVANCED', 'EXPERT'))
      and not exists (
      select from blocks
      where (blocker_id = users.id and blocked_id = sessions.owner_id) or (blocker_id = sessions.owner_id and blocked_id = users.id)
    )
    order by waiting_list.number
    limit 1
    """
  package let sessionID: SessionID
  package let now: Instant

  package init(sessionID: SessionID, now: Instant) {
    self.sessionID = sessionID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Offers the place in an open session, which the transaction has locked, to a user.
package struct OfferPlace: Statement {
  package typealias Row = Void
  package static let sql = """
    update sessions set offered_to = $1, offered_until = $2 where id = $3
    """
  package let userID: UserID
  package let until: Instant
  package let sessionID: SessionID

  package init(userID: UserID, until: Instant, sessionID: SessionID) {
    self.userID = userID
    self.until = until
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(until)
    p.append(sessionID)
  }
}

/// Ends the offer of a session that the transaction has locked.
package struct WithdrawOffer: Statement {
  package typealias Row = Void
  package static let sql = """
    update sessions set offered_to = null, offered_until = null where id = $1
    """
  package let sessionID: SessionID

  package init(sessionID: SessionID) {
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
  }
}

/// To whom the place in a session is offered; the session is locked until the transaction ends.
package struct LockedOffer: SingleRowStatement {
  package struct Row: Sendable {
    package let id: SessionID
    package let state: SessionState
    package let startsAt: Instant
    package let joinsEndAt: Instant
    package let gymName: String
    package let offeredTo: UserID?
    package let offeredUntil: Instant?
  }

  package static let sql = """
    select
      id, state, starts_at, coalesce(joins_end_at, starts_at) as joins_end_at, gym_name, offered_to, offered_until
    from sessions where id = $1 for no key update
    """
  package let sessionID: SessionID

  package init(sessionID: SessionID) {
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), state: try row.next(), startsAt: try row.next(), joinsEndAt: try row.next(),
      gymName: try row.next(), offeredTo: try row.next(), offeredUntil: try row.next())
  }
}

/// The sessions that a user waits for, by their start.
package struct WaitingListsOf: Statement {
  package struct Row: Sendable {
    package let sessionID: SessionID
    package let startsAt: Instant
    package let endsAt: Instant
    package let gymID: GymID
    package let gymName: String
    package let gymLatitude: Double
    package let gymLongitude: Double
    package let timeZone: String
    package let focus: Focus
    /// From 1.
    package let place: Int32
    /// Null if the place is not offered to the user.
    package let offeredUntil: Instant?
  }

  package static let sql = """
    select
      sessions.id as session_id, sessions.starts_at, sessions.ends_at, sessions.gym_id, sessions.gym_name,
      sessions.gym_latitude, sessions.gym_longitude, sessions.time_zone, sessions.focus,
      (
        select count(*)::integer from waiting_list as earlier
        where earlier.session_id = sessions.id and earlier.number <= waiting_list.number
      ) as place,
      case when sessions.offered_to = $1 and sessions.offered_until > $2 then sessions.offered_until end as offered_until
    from waiting_list join sessions on sessions.id = waiting_list.session_id
    where waiting_list.user_id = $1 and waiting_list.starts_at > $2 and sessions.state in ('OPEN', 'MATCHED')
      and sessions.owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $1
      union all
      select blocker_id from blocks where blocked_id = $1
    )) and (sessions.partner_id is null or sessions.partner_id <> all(array(
      select blocked_id from blocks where blocker_id = $1
      union all
      select blocker_id from blocks where blocked_id = $1
    )))
    order by waiting_list.starts_at, sessions.id
    """
  package let userID: UserID
  package let now: Instant

  package init(userID: UserID, now: Instant) {
    self.userID = userID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      sessionID: try row.next(), startsAt: try row.next(), endsAt: try row.next(), gymID: try row.next(),
      gymName: try row.next(), gymLatitude: try row.next(), gymLongitude: try row.next(), timeZone: try row.next(),
      focus: try row.next(), place: try row.next(), offeredUntil: try row.next())
  }
}

/// Removes a user from all waiting lists ([C-9]), in the order of sessions, as a join that withdraws several posts does.
package struct DeleteWaitingOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from waiting_list where user_id = $1 and session_id in (
      select session_id from waiting_list where user_id = $1 order by session_id for update
    )
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Removes entries of sessions that have started.
package struct DeleteOldWaiting: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from waiting_list where (session_id, user_id) in (
      select session_id, user_id from waiting_list where starts_at <= $1 limit $2 for update skip locked
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

/// The sessions whose place is offered to a user, in the order of ids.
package struct OffersTo: Statement {
  package typealias Row = SessionID
  package static let sql = """
    select id from sessions where offered_to = $1 order by id limit $2
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

/// The sessions of one of two users whose place is offered to the other, in the order of ids.
package struct OffersBetween: Statement {
  package typealias Row = SessionID
  package static let sql = """
    select id from sessions
    where (offered_to = $1 and owner_id = $2) or (offered_to = $2 and owner_id = $1)
    order by id limit $3
    """
  package let userID: UserID
  package let otherID: UserID
  package let limit: Int64

  package init(userID: UserID, otherID: UserID, limit: Int64) {
    self.userID = userID
    self.otherID = otherID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(otherID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
