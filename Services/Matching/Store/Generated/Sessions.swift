// Made from sessions.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import MatchingDomain
import Postgres

/// The columns of a row `session`, joined by {{session_users}}.
package struct SessionColumns: Sendable {
  package let id: SessionID
  package let ownerID: UserID?
  package let ownerUsername: String
  package let ownerCheckedInAt: Instant?
  package let partnerID: UserID?
  package let partnerUsername: String
  package let partnerCheckedInAt: Instant?
  package let state: SessionState
  package let startsAt: Instant
  package let endsAt: Instant
  package let gymID: GymID
  package let gymName: String
  package let gymLatitude: Double
  package let gymLongitude: Double
  package let timeZone: String
  package let focus: Focus
  package let level: Level
  package let admitted: Int16
  package let revision: Int32
  package let finishedAt: Instant?
  package let postedAt: Instant
  package let updatedAt: Instant
  package let offeredTo: UserID?
  package let offeredUntil: Instant?
  package let joinsEndAt: Instant

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> SessionColumns {
    SessionColumns(
      id: try row.next(), ownerID: try row.next(), ownerUsername: try row.next(), ownerCheckedInAt: try row.next(),
      partnerID: try row.next(), partnerUsername: try row.next(), partnerCheckedInAt: try row.next(),
      state: try row.next(), startsAt: try row.next(), endsAt: try row.next(), gymID: try row.next(),
      gymName: try row.next(), gymLatitude: try row.next(), gymLongitude: try row.next(), timeZone: try row.next(),
      focus: try row.next(), level: try row.next(), admitted: try row.next(), revision: try row.next(),
      finishedAt: try row.next(), postedAt: try row.next(), updatedAt: try row.next(), offeredTo: try row.next(),
      offeredUntil: try row.next(), joinsEndAt: try row.next())
  }
}

/// Locks a session until the transaction ends.
package struct LockSession: SingleRowStatement {
  package typealias Row = SessionID
  package static let sql = """
    select id from sessions where id = $1 for no key update
    """
  package let sessionID: SessionID

  package init(sessionID: SessionID) {
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Locks some sessions, in the order of ids, until the transaction ends.
package struct LockSessions: Statement {
  package typealias Row = SessionID
  package static let sql = """
    select id from sessions where id = any($1::uuid[]) order by id for no key update
    """
  package let sessionIDs: [SessionID]

  package init(sessionIDs: [SessionID]) {
    self.sessionIDs = sessionIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Locks a session and the unmatched posts of a user that overlap it, in the order of ids, until the transaction ends. The transaction has locked
/// the user's row, so that no such post is added.
package struct LockSessionsToJoin: Statement {
  package typealias Row = SessionID
  package static let sql = """
    select id from sessions
    where id in (
      select $1::uuid
      union all
      select own.id
      from sessions as target
      join participations as mine
        on mine.user_id = $2 and mine.active and mine.slot && tstzrange(target.starts_at, target.ends_at)
      join sessions as own on own.id = mine.session_id
      where target.id = $1 and own.state = 'OPEN' and own.id <> target.id
    )
    order by id for no key update
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

/// A user's unmatched posts that overlap a session, in the order of ids ([MA-2]); the transaction has locked them.
package struct OverlappingPosts: Statement {
  package typealias Row = SessionID
  package static let sql = """
    select own.id
    from sessions as target
    join participations as mine
      on mine.user_id = $1 and mine.active and mine.slot && tstzrange(target.starts_at, target.ends_at)
    join sessions as own on own.id = mine.session_id
    where target.id = $2 and own.state = 'OPEN' and own.id <> target.id
    order by own.id
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

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// How many unmatched posts of a user are yet to start.
package struct OpenPostsOf: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    select count(*) as posts from sessions where owner_id = $1 and state = 'OPEN' and starts_at > $2
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
    try row.next()
  }
}

/// A session. If the transaction has locked it, it does not change until the end of the transaction.
package struct SessionByID: SingleRowStatement {
  package typealias Row = StoredSession
  package static let sql = """
    select session.id as id, session.owner_id, coalesce(owner.username, '') as owner_username, owning.checked_in_at as owner_checked_in_at,
    session.partner_id, coalesce(partner.username, '') as partner_username,
    partnering.checked_in_at as partner_checked_in_at, session.state as state, session.starts_at as starts_at, session.ends_at as ends_at,
    session.gym_id as gym_id, session.gym_name as gym_name, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.time_zone as time_zone, session.focus as focus, session.level as level,
    session.admitted as admitted, session.revision as revision, session.finished_at, session.posted_at as posted_at,
    session.updated_at as updated_at, session.offered_to, session.offered_until, coalesce(session.joins_end_at, session.starts_at) as joins_end_at from sessions as session left join users as owner on owner.id = session.owner_id
    left join users as partner on partner.id = session.partner_id
    left join participations as owning on owning.session_id = session.id and owning.user_id = session.owner_id
    left join participations as partnering on partnering.session_id = session.id and partnering.user_id = session.partner_id where session.id = $1
    """
  package let sessionID: SessionID

  package init(sessionID: SessionID) {
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredSession(SessionColumns.decode(row))
  }
}

/// Some sessions, in any order.
package struct SessionsByIDs: Statement {
  package typealias Row = StoredSession
  package static let sql = """
    select session.id as id, session.owner_id, coalesce(owner.username, '') as owner_username, owning.checked_in_at as owner_checked_in_at,
    session.partner_id, coalesce(partner.username, '') as partner_username,
    partnering.checked_in_at as partner_checked_in_at, session.state as state, session.starts_at as starts_at, session.ends_at as ends_at,
    session.gym_id as gym_id, session.gym_name as gym_name, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.time_zone as time_zone, session.focus as focus, session.level as level,
    session.admitted as admitted, session.revision as revision, session.finished_at, session.posted_at as posted_at,
    session.updated_at as updated_at, session.offered_to, session.offered_until, coalesce(session.joins_end_at, session.starts_at) as joins_end_at from sessions as session left join users as owner on owner.id = session.owner_id
    left join users as partner on partner.id = session.partner_id
    left join participations as owning on owning.session_id = session.id and owning.user_id = session.owner_id
    left join participations as partnering on partnering.session_id = session.id and partnering.user_id = session.partner_id where session.id = any($1::uuid[])
    """
  package let sessionIDs: [SessionID]

  package init(sessionIDs: [SessionID]) {
    self.sessionIDs = sessionIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredSession(SessionColumns.decode(row))
  }
}

/// A session, and what else decides whether a user can join it. If the transaction has locked both, neither changes until its end.
package struct SessionToJoin: SingleRowStatement {
  package struct Row: Sendable {
    package let session: StoredSession
    /// Whether one of viewer and owner has blocked the other.
    package let isBlocked: Bool
    /// Whether the slot overlaps a matched session of the viewer.
    package let hasOverlap: Bool
  }

  package static let sql = """
    select
      session.id as id, session.owner_id, coalesce(owner.username, '') as owner_username, owning.checked_in_at as owner_checked_in_at,
    session.partner_id, coalesce(partner.username, '') as partner_username,
    partnering.checked_in_at as partner_checked_in_at, session.state as state, session.starts_at as starts_at, session.ends_at as ends_at,
    session.gym_id as gym_id, session.gym_name as gym_name, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.time_zone as time_zone, session.focus as focus, session.level as level,
    session.admitted as admitted, session.revision as revision, session.finished_at, session.posted_at as posted_at,
    session.updated_at as updated_at, session.offered_to, session.offered_until, coalesce(session.joins_end_at, session.starts_at) as joins_end_at, exists (
      select from blocks
      where (blocker_id = session.owner_id and blocked_id = $1::uuid) or (blocker_id = $1::uuid and blocked_id = session.owner_id)
    ) as is_blocked,
      exists (
      select from participations as other join sessions as own on own.id = other.session_id
      where other.user_id = $1 and other.active and other.slot && tstzrange(session.starts_at, session.ends_at)
        and own.state <> 'OPEN'
    ) as has_overlap
    from sessions as session left join users as owner on owner.id = session.owner_id
    left join users as partner on partner.id = session.partner_id
    left join participations as owning on owning.session_id = session.id and owning.user_id = session.owner_id
    left join participations as partnering on partnering.session_id = session.id and partnering.user_id = session.partner_id where session.id = $2
    """
  package let viewerID: UserID
  package let sessionID: SessionID

  package init(viewerID: UserID, sessionID: SessionID) {
    self.viewerID = viewerID
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(viewerID)
    p.append(sessionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(session: try StoredSession(SessionColumns.decode(row)), isBlocked: try row.next(), hasOverlap: try row.next())
  }
}

/// What the view of a session depends on besides it.
package struct SessionViewOf: SingleRowStatement {
  package struct Row: Sendable {
    /// Whether one of viewer and owner has blocked the other.
    package let isBlocked: Bool
    /// Whether the slot overlaps a matched session of the viewer.
    package let hasOverlap: Bool
    /// Whether the viewer gave feedback.
    package let gaveFeedback: Bool
  }

  package static let sql = """
    select
      exists (
      select from blocks
      where (blocker_id = session.owner_id and blocked_id = $1::uuid) or (blocker_id = $1::uuid and blocked_id = session.owner_id)
    ) as is_blocked, exists (
      select from participations as other join sessions as own on own.id = other.session_id
      where other.user_id = $1 and other.active and other.slot && tstzrange(session.starts_at, session.ends_at)
        and own.state <> 'OPEN'
    ) as has_overlap,
      exists (
        select from feedback where feedback.session_id = session.id and feedback.author_id = $1
      ) as gave_feedback
    from sessions as session where session.id = $2
    """
  package let viewerID: UserID
  package let sessionID: SessionID

  package init(viewerID: UserID, sessionID: SessionID) {
    self.viewerID = viewerID
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(viewerID)
    p.append(sessionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(isBlocked: try row.next(), hasOverlap: try row.next(), gaveFeedback: try row.next())
  }
}

/// Stores a new session with its owner's participation ([MA-1]); fails with `participations_no_overlap` where the slot is taken ([MA-2]).
package struct InsertSession: SingleRowStatement {
  package typealias Row = SessionID
  package static let sql = """
    with session as (
      insert into sessions (
        id, owner_id, starts_at, ends_at, gym_id, gym_name, gym_latitude, gym_longitude, time_zone, focus, level, admitted,
        owner_gender, posted_at, updated_at, joins_end_at, repetition_id, gym_outline, gym_radius_m
      )
      values (
        $1, $2, $3, $4, $5, $6, $7, $8, $9,
        $10, $11, $12, $13, $14, $14, $15, $16,
        $17, $18
      )
      returning *
    ), gym as (
      insert into gyms as known (id, place, last_start)
      select gym_id, extensions.cube($19::float8[]), starts_at from session
      where not exists (
        select from gyms
        where gyms.id = session.gym_id and gyms.place operator(extensions.=) extensions.cube($19::float8[])
          and gyms.last_start >= session.starts_at
      )
      on conflict on constraint gyms_pkey do update
      set place = excluded.place, last_start = greatest(known.last_start, excluded.last_start)
    ), participation as (
      insert into participations (session_id, user_id, slot)
      select id, owner_id, tstzrange(starts_at, ends_at) from session
    )
    select id from session
    """
  package let sessionID: SessionID
  package let ownerID: UserID
  package let startsAt: Instant
  package let endsAt: Instant
  package let gymID: GymID
  package let gymName: String
  package let gymLatitude: Double
  package let gymLongitude: Double
  package let timeZone: String
  package let focus: Focus
  package let level: Level
  package let admitted: Int16
  package let ownerGender: Gender
  package let now: Instant
  package let joinsEndAt: Instant
  package let repetitionID: RepetitionID?
  package let gymOutline: [Double]?
  package let gymRadiusM: Double?
  /// The gym on the unit sphere.
  package let gymVector: [Double]

  package init(
    sessionID: SessionID, ownerID: UserID, startsAt: Instant, endsAt: Instant, gymID: GymID, gymName: String,
    gymLatitude: Double, gymLongitude: Double, timeZone: String, focus: Focus, level: Level, admitted: Int16,
    ownerGender: Gender, now: Instant, joinsEndAt: Instant, repetitionID: RepetitionID?, gymOutline: [Double]?,
    gymRadiusM: Double?, gymVector: [Double]) {
    self.sessionID = sessionID
    self.ownerID = ownerID
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.gymID = gymID
    self.gymName = gymName
    self.gymLatitude = gymLatitude
    self.gymLongitude = gymLongitude
    self.timeZone = timeZone
    self.focus = focus
    self.level = level
    self.admitted = admitted
    self.ownerGender = ownerGender
    self.now = now
    self.joinsEndAt = joinsEndAt
    self.repetitionID = repetitionID
    self.gymOutline = gymOutline
    self.gymRadiusM = gymRadiusM
    self.gymVector = gymVector
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
    p.append(ownerID)
    p.append(startsAt)
    p.append(endsAt)
    p.append(gymID)
    p.append(gymName)
    p.append(gymLatitude)
    p.append(gymLongitude)
    p.append(timeZone)
    p.append(focus)
    p.append(level)
    p.append(admitted)
    p.append(ownerGender)
    p.append(now)
    p.append(joinsEndAt)
    p.append(repetitionID)
    p.append(gymOutline)
    p.append(gymRadiusM)
    p.append(gymVector)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Gives an open session its partner ([MA-5]), who waits for it no longer; no row if it is not open. Fails with `participations_no_overlap`
/// where the slot is taken.
package struct MatchSession: SingleRowStatement {
  package typealias Row = StoredSession
  package static let sql = """
    with session as (
      update sessions
      set partner_id = $1, state = 'MATCHED', revision = revision + 1, updated_at = $2
      where id = $3 and state = 'OPEN'
      returning *
    ), joined as (
      insert into participations (session_id, user_id, slot)
      select id, $1, tstzrange(starts_at, ends_at) from session
      on conflict on constraint participations_pkey do update
      set active = true, present = true, checked_in_at = null, changed_in = pg_current_xact_id()
    ), told as (
      update participations set changed_in = pg_current_xact_id()
      from session where participations.session_id = session.id and participations.user_id = session.owner_id
    ), left_list as (
      delete from waiting_list
      using session where waiting_list.session_id = session.id and waiting_list.user_id = $1
    )
    select session.id as id, session.owner_id, coalesce(owner.username, '') as owner_username, owning.checked_in_at as owner_checked_in_at,
    session.partner_id, coalesce(partner.username, '') as partner_username,
    partnering.checked_in_at as partner_checked_in_at, session.state as state, session.starts_at as starts_at, session.ends_at as ends_at,
    session.gym_id as gym_id, session.gym_name as gym_name, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.time_zone as time_zone, session.focus as focus, session.level as level,
    session.admitted as admitted, session.revision as revision, session.finished_at, session.posted_at as posted_at,
    session.updated_at as updated_at, session.offered_to, session.offered_until, coalesce(session.joins_end_at, session.starts_at) as joins_end_at
    from session
    left join users as owner on owner.id = session.owner_id
    left join users as partner on partner.id = session.partner_id
    left join participations as owning on owning.session_id = session.id and owning.user_id = session.owner_id
    cross join (select null::timestamptz as checked_in_at) as partnering
    """
  package let partnerID: UserID
  package let now: Instant
  package let sessionID: SessionID

  package init(partnerID: UserID, now: Instant, sessionID: SessionID) {
    self.partnerID = partnerID
    self.now = now
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(partnerID)
    p.append(now)
    p.append(sessionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredSession(SessionColumns.decode(row))
  }
}

/// Removes an unmatched session ([MA-6]) and its waiting list, which would count towards what its users wait for; no row
/// if the session is not open or not the user's.
package struct CancelOpenSession: SingleRowStatement {
  package struct Row: Sendable {
    package let id: SessionID
    /// Who was in the list.
    package let waiting: [UserID]
  }

  package static let sql = """
    with session as (
      update sessions set state = 'CANCELLED', revision = revision + 1, updated_at = $1
      where id = $2 and state = 'OPEN' and owner_id = $3
      returning *
    ), gone as (
      update participations set active = false, present = false, changed_in = pg_current_xact_id()
      from session where participations.session_id = session.id and participations.user_id = $3
    ), dissolved as (
      delete from waiting_list using session where waiting_list.session_id = session.id
      returning waiting_list.user_id
    )
    select id, array(select user_id from dissolved order by user_id) as waiting from session
    """
  package let now: Instant
  package let sessionID: SessionID
  package let userID: UserID

  package init(now: Instant, sessionID: SessionID, userID: UserID) {
    self.now = now
    self.sessionID = sessionID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(sessionID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(id: try row.next(), waiting: try row.next())
  }
}

/// Takes a participant out of a matched session; it is open again, and the other participant's ([MA-6]); no row if it is not matched.
package struct LeaveMatchedSession: SingleRowStatement {
  package typealias Row = SessionID
  package static let sql = """
    with session as (
      update sessions
      set
        owner_id = $1, partner_id = null, state = 'OPEN', revision = revision + 1, updated_at = $2,
        level = coalesce($3, level), owner_gender = coalesce($4, owner_gender)
      where id = $5 and state = 'MATCHED'
        and ((owner_id = $6 and partner_id = $1) or (owner_id = $1 and partner_id = $6))
      returning *
    ), gone as (
      update participations
      set
        active = active and participations.user_id <> $6, present = present and participations.user_id <> $6,
        changed_in = pg_current_xact_id()
      from session
      where participations.session_id = session.id and participations.user_id in ($6, $1)
    )
    select id from session
    """
  /// The participant who stays.
  package let otherID: UserID
  package let now: Instant
  /// The session's level from then on; `nil` leaves it.
  package let level: Level?
  /// The gender of the new owner; `nil` leaves it.
  package let ownerGender: Gender?
  package let sessionID: SessionID
  package let userID: UserID

  package init(
    otherID: UserID, now: Instant, level: Level?, ownerGender: Gender?, sessionID: SessionID, userID: UserID) {
    self.otherID = otherID
    self.now = now
    self.level = level
    self.ownerGender = ownerGender
    self.sessionID = sessionID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(otherID)
    p.append(now)
    p.append(level)
    p.append(ownerGender)
    p.append(sessionID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A user's gender and level, as far as they are known.
package struct GenderOfUser: SingleRowStatement {
  package struct Row: Sendable {
    package let gender: Gender?
    package let level: Level?
  }

  package static let sql = """
    select gender, level from users where id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(gender: try row.next(), level: try row.next())
  }
}

/// How far the gym of a session reaches around its point ([MA-8]).
package struct GymAreaOf: SingleRowStatement {
  package struct Row: Sendable {
    package let gymOutline: [Double]?
    package let gymRadiusM: Double?
  }

  package static let sql = """
    select gym_outline, gym_radius_m from sessions where id = $1
    """
  package let sessionID: SessionID

  package init(sessionID: SessionID) {
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(gymOutline: try row.next(), gymRadiusM: try row.next())
  }
}

/// Checks a participant in ([MA-8]); no row if it was done before, or the user does not take part.
package struct StoreCheckIn: SingleRowStatement {
  package typealias Row = SessionID
  package static let sql = """
    with entry as (
      update participations set checked_in_at = $1, changed_in = pg_current_xact_id()
      where session_id = $2 and user_id = $3 and present and checked_in_at is null
      returning session_id
    ), session as (
      update sessions set revision = revision + 1, updated_at = $1
      from entry where sessions.id = entry.session_id
      returning sessions.id
    ), told as (
      update participations set changed_in = pg_current_xact_id()
      from entry where participations.session_id = entry.session_id and participations.user_id <> $3
    )
    select id from session
    """
  package let now: Instant
  package let sessionID: SessionID
  package let userID: UserID

  package init(now: Instant, sessionID: SessionID, userID: UserID) {
    self.now = now
    self.sessionID = sessionID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(sessionID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Makes a matched session successful, and counts the attendance of both participants ([MA-9]).
package struct MarkSuccessful: Statement {
  package typealias Row = Void
  package static let sql = """
    with session as (
      update sessions set state = 'SUCCESSFUL', revision = revision + 1, updated_at = $1
      where id = $2 and state = 'MATCHED'
      returning owner_id, partner_id
    )
    update users set attended = attended + 1 from session where users.id in (session.owner_id, session.partner_id)
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

/// Finishes a successful session; the slots of its participants are free ([MA-11]).
package struct MarkFinished: Statement {
  package typealias Row = Void
  package static let sql = """
    with session as (
      update sessions set finished_at = $1, revision = revision + 1, updated_at = $1
      where id = $2 and state = 'SUCCESSFUL' and finished_at is null
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

/// A page of a user's cancelled sessions whose end is yet to come, by their start ([MA-12]).
package struct UpcomingCancelledSessions: Statement {
  package struct Row: Sendable {
    package let session: StoredSession
    package let gaveFeedback: Bool
  }

  package static let sql = """
    select session.id as id, session.owner_id, coalesce(owner.username, '') as owner_username, owning.checked_in_at as owner_checked_in_at,
    session.partner_id, coalesce(partner.username, '') as partner_username,
    partnering.checked_in_at as partner_checked_in_at, session.state as state, session.starts_at as starts_at, session.ends_at as ends_at,
    session.gym_id as gym_id, session.gym_name as gym_name, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.time_zone as time_zone, session.focus as focus, session.level as level,
    session.admitted as admitted, session.revision as revision, session.finished_at, session.posted_at as posted_at,
    session.updated_at as updated_at, session.offered_to, session.offered_until, coalesce(session.joins_end_at, session.starts_at) as joins_end_at, exists (select from feedback where feedback.session_id = session.id and feedback.author_id = $1) as gave_feedback
    from sessions as session left join users as owner on owner.id = session.owner_id
    left join users as partner on partner.id = session.partner_id
    left join participations as owning on owning.session_id = session.id and owning.user_id = session.owner_id
    left join participations as partnering on partnering.session_id = session.id and partnering.user_id = session.partner_id
    where session.owner_id = $1 and session.state = 'CANCELLED' and session.ends_at > $2
      and (session.starts_at, session.id) > (
        coalesce($3::timestamptz, '-infinity'),
        coalesce($4::uuid, '00000000-0000-0000-0000-000000000000')
      )
    order by session.starts_at, session.id limit $5
    """
  package let userID: UserID
  package let now: Instant
  package let afterStart: Instant?
  package let afterSessionID: SessionID?
  package let limit: Int64

  package init(userID: UserID, now: Instant, afterStart: Instant?, afterSessionID: SessionID?, limit: Int64) {
    self.userID = userID
    self.now = now
    self.afterStart = afterStart
    self.afterSessionID = afterSessionID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(now)
    p.append(afterStart)
    p.append(afterSessionID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(session: try StoredSession(SessionColumns.decode(row)), gaveFeedback: try row.next())
  }
}

/// A page of a user's cancelled sessions whose end has passed, the latest first ([MA-12]).
package struct PastCancelledSessions: Statement {
  package struct Row: Sendable {
    package let session: StoredSession
    package let gaveFeedback: Bool
  }

  package static let sql = """
    select session.id as id, session.owner_id, coalesce(owner.username, '') as owner_username, owning.checked_in_at as owner_checked_in_at,
    session.partner_id, coalesce(partner.username, '') as partner_username,
    partnering.checked_in_at as partner_checked_in_at, session.state as state, session.starts_at as starts_at, session.ends_at as ends_at,
    session.gym_id as gym_id, session.gym_name as gym_name, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.time_zone as time_zone, session.focus as focus, session.level as level,
    session.admitted as admitted, session.revision as revision, session.finished_at, session.posted_at as posted_at,
    session.updated_at as updated_at, session.offered_to, session.offered_until, coalesce(session.joins_end_at, session.starts_at) as joins_end_at, exists (select from feedback where feedback.session_id = session.id and feedback.author_id = $1) as gave_feedback
    from sessions as session left join users as owner on owner.id = session.owner_id
    left join users as partner on partner.id = session.partner_id
    left join participations as owning on owning.session_id = session.id and owning.user_id = session.owner_id
    left join participations as partnering on partnering.session_id = session.id and partnering.user_id = session.partner_id
    where session.owner_id = $1 and session.state = 'CANCELLED' and session.ends_at <= $2
      and (session.starts_at, session.id) < (
        coalesce($3::timestamptz, 'infinity'), coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
      )
    order by session.starts_at desc, session.id desc limit $5
    """
  package let userID: UserID
  package let now: Instant
  package let beforeStart: Instant?
  package let beforeSessionID: SessionID?
  package let limit: Int64

  package init(userID: UserID, now: Instant, beforeStart: Instant?, beforeSessionID: SessionID?, limit: Int64) {
    self.userID = userID
    self.now = now
    self.beforeStart = beforeStart
    self.beforeSessionID = beforeSessionID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(now)
    p.append(beforeStart)
    p.append(beforeSessionID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(session: try StoredSession(SessionColumns.decode(row)), gaveFeedback: try row.next())
  }
}

/// A page of a user's sessions whose end is yet to come, by their start ([MA-12]).
package struct UpcomingSessions: Statement {
  package struct Row: Sendable {
    package let session: StoredSession
    package let gaveFeedback: Bool
  }

  package static let sql = """
    select session.id as id, session.owner_id, coalesce(owner.username, '') as owner_username, owning.checked_in_at as owner_checked_in_at,
    session.partner_id, coalesce(partner.username, '') as partner_username,
    partnering.checked_in_at as partner_checked_in_at, session.state as state, session.starts_at as starts_at, session.ends_at as ends_at,
    session.gym_id as gym_id, session.gym_name as gym_name, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.time_zone as time_zone, session.focus as focus, session.level as level,
    session.admitted as admitted, session.revision as revision, session.finished_at, session.posted_at as posted_at,
    session.updated_at as updated_at, session.offered_to, session.offered_until, coalesce(session.joins_end_at, session.starts_at) as joins_end_at, exists (select from feedback where feedback.session_id = session.id and feedback.author_id = $1) as gave_feedback
    from participations as mine join sessions as session on session.id = mine.session_id left join users as owner on owner.id = session.owner_id
    left join users as partner on partner.id = session.partner_id
    left join participations as owning on owning.session_id = session.id and owning.user_id = session.owner_id
    left join participations as partnering on partnering.session_id = session.id and partnering.user_id = session.partner_id
    where mine.user_id = $1 and mine.present and session.ends_at > $2 and lower(mine.slot) > $2::timestamptz - interval '8 hours'
      and ($3::text is null or session.state = $3)
      and (lower(mine.slot), mine.session_id) > (
        coalesce($4::timestamptz, '-infinity'),
        coalesce($5::uuid, '00000000-0000-0000-0000-000000000000')
      )
    order by lower(mine.slot), mine.session_id limit $6
    """
  package let userID: UserID
  package let now: Instant
  package let state: SessionState?
  package let afterStart: Instant?
  package let afterSessionID: SessionID?
  package let limit: Int64

  package init(
    userID: UserID, now: Instant, state: SessionState?, afterStart: Instant?, afterSessionID: SessionID?,
    limit: Int64) {
    self.userID = userID
    self.now = now
    self.state = state
    self.afterStart = afterStart
    self.afterSessionID = afterSessionID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(now)
    p.append(state)
    p.append(afterStart)
    p.append(afterSessionID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(session: try StoredSession(SessionColumns.decode(row)), gaveFeedback: try row.next())
  }
}

/// A page of a user's sessions whose end has passed, the latest first ([MA-12]).
package struct PastSessions: Statement {
  package struct Row: Sendable {
    package let session: StoredSession
    package let gaveFeedback: Bool
  }

  package static let sql = """
    select session.id as id, session.owner_id, coalesce(owner.username, '') as owner_username, owning.checked_in_at as owner_checked_in_at,
    session.partner_id, coalesce(partner.username, '') as partner_username,
    partnering.checked_in_at as partner_checked_in_at, session.state as state, session.starts_at as starts_at, session.ends_at as ends_at,
    session.gym_id as gym_id, session.gym_name as gym_name, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.time_zone as time_zone, session.focus as focus, session.level as level,
    session.admitted as admitted, session.revision as revision, session.finished_at, session.posted_at as posted_at,
    session.updated_at as updated_at, session.offered_to, session.offered_until, coalesce(session.joins_end_at, session.starts_at) as joins_end_at, exists (select from feedback where feedback.session_id = session.id and feedback.author_id = $1) as gave_feedback
    from participations as mine join sessions as session on session.id = mine.session_id left join users as owner on owner.id = session.owner_id
    left join users as partner on partner.id = session.partner_id
    left join participations as owning on owning.session_id = session.id and owning.user_id = session.owner_id
    left join participations as partnering on partnering.session_id = session.id and partnering.user_id = session.partner_id
    where mine.user_id = $1 and mine.present and session.ends_at <= $2 and lower(mine.slot) < $2
      and ($3::text is null or session.state = $3)
      and (lower(mine.slot), mine.session_id) < (
        coalesce($4::timestamptz, 'infinity'), coalesce($5::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
      )
    order by lower(mine.slot) desc, mine.session_id desc limit $6
    """
  package let userID: UserID
  package let now: Instant
  package let state: SessionState?
  package let beforeStart: Instant?
  package let beforeSessionID: SessionID?
  package let limit: Int64

  package init(
    userID: UserID, now: Instant, state: SessionState?, beforeStart: Instant?, beforeSessionID: SessionID?,
    limit: Int64) {
    self.userID = userID
    self.now = now
    self.state = state
    self.beforeStart = beforeStart
    self.beforeSessionID = beforeSessionID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(now)
    p.append(state)
    p.append(beforeStart)
    p.append(beforeSessionID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(session: try StoredSession(SessionColumns.decode(row)), gaveFeedback: try row.next())
  }
}

/// What changed for a user since a place in the order of transactions ([C-11]). Nothing is read from the oldest transaction on that is still
/// open: what it changes comes later.
package struct ChangedSessions: Statement {
  package struct Row: Sendable {
    /// The transaction of the change, numbered as those of events.
    package let transaction: Int64
    package let sessionID: SessionID
    package let present: Bool
  }

  package static let sql = """
    select
      mine.changed_in::text::bigint as transaction, mine.session_id, mine.present
    from participations as mine
    where mine.user_id = $1
      and (mine.changed_in, mine.session_id) > (($2::bigint)::text::xid8, $3::uuid)
      and mine.changed_in < (select (event_log.transaction_offset + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8 from event_log)
    order by mine.changed_in, mine.session_id limit $4
    """
  package let userID: UserID
  package let afterTransaction: Int64
  package let afterSessionID: SessionID
  package let limit: Int64

  package init(userID: UserID, afterTransaction: Int64, afterSessionID: SessionID, limit: Int64) {
    self.userID = userID
    self.afterTransaction = afterTransaction
    self.afterSessionID = afterSessionID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(afterTransaction)
    p.append(afterSessionID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(transaction: try row.next(), sessionID: try row.next(), present: try row.next())
  }
}

/// What the numbers of changes are of, which another database has, and this one once it was restored: what was being changed when it was
/// dumped is unknown to it, below numbers that it knows.
package struct ChangeNumbering: SingleRowStatement {
  package struct Row: Sendable {
    package let epoch: Int64
    /// Whether a place in the order of transactions belongs to a database that was restored to an earlier moment since.
    package let isLost: Bool
  }

  package static let sql = """
    select transaction_offset as epoch, exists (
      select from event_epochs
      where event_epochs.ended_transaction_id < ($1::bigint)::text::xid8 and event_epochs.next_transaction_id > ($1::bigint)::text::xid8
    ) as is_lost from event_log
    """
  package let transaction: Int64

  package init(transaction: Int64) {
    self.transaction = transaction
  }

  package func bind(_ p: inout Parameters) {
    p.append(transaction)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(epoch: try row.next(), isLost: try row.next())
  }
}

/// Those of some sessions for which a user gave feedback.
package struct FeedbackGivenBy: Statement {
  package typealias Row = SessionID
  package static let sql = """
    select session_id from feedback where author_id = $1 and session_id = any($2::uuid[])
    """
  package let userID: UserID
  package let sessionIDs: [SessionID]

  package init(userID: UserID, sessionIDs: [SessionID]) {
    self.userID = userID
    self.sessionIDs = sessionIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(sessionIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Counts a matched session that a user cancelled too late as missed; the transaction has locked the user's row.
package struct CountMissed: Statement {
  package typealias Row = Void
  package static let sql = """
    update users set missed = missed + 1 where id = $1 and not deleted
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Removes sessions that were over long ago, with the participations in them and the feedback on them ([MA-16]).
package struct DeleteOldSessions: Statement {
  package typealias Row = Int32
  package static let sql = """
    with old as materialized (
      select id from sessions where state not in ('OPEN', 'MATCHED') and ends_at <= $1
      limit $2 for update skip locked
    ), rated as (
      delete from feedback using old where feedback.session_id = old.id
    ), taken_part as (
      delete from participations using old where participations.session_id = old.id
    ), waited as (
      delete from waiting_list using old where waiting_list.session_id = old.id
    ), noticed as (
      delete from search_notices using old where search_notices.session_id = old.id
    )
    delete from sessions using old where sessions.id = old.id returning 1 as removed
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
