// Made from judgement.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import MatchingDomain
import Postgres

/// Notes that users can check in at a moment, not after the database's present; if the last beat is too long ago, what lies between was an outage
/// ([MA-10]). A beat that is yet to come, by whatever clock, is none.
package struct Beat: Statement {
  package typealias Row = Void
  package static let sql = """
    with present as materialized (
      select least($1::timestamptz, clock_timestamp()) as moment
    ), earlier as (
      select last_beat_at from heartbeat for update
    ), gap as (
      insert into outages (began_at, ended_at)
      select last_beat_at, moment from earlier cross join present
      where moment > last_beat_at + make_interval(secs => $2::bigint / 1000000.0)
      on conflict on constraint outages_pkey do update set ended_at = greatest(outages.ended_at, excluded.ended_at)
    )
    insert into heartbeat (last_beat_at) select moment from present cross join (select count(*) from earlier) as seen
    on conflict on constraint heartbeat_pkey do update
    set last_beat_at = case
      when heartbeat.last_beat_at > clock_timestamp() then excluded.last_beat_at
      else greatest(heartbeat.last_beat_at, excluded.last_beat_at)
    end
    """
  package let now: Instant
  /// Microseconds between two beats that are no outage yet.
  package let longestGapUs: Int64

  package init(now: Instant, longestGapUs: Int64) {
    self.now = now
    self.longestGapUs = longestGapUs
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(longestGapUs)
  }
}

/// Before the first beat of all: from now on its absence is an outage.
package struct BeginHeartbeat: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into heartbeat (last_beat_at) values (least($1::timestamptz, clock_timestamp()))
    on conflict on constraint heartbeat_pkey do nothing
    """
  package let now: Instant

  package init(now: Instant) {
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
  }
}

/// Notes an outage that lasts at a moment, before sessions are judged by it ([MA-10]). It is no beat: a service that judges may be one at which
/// nobody can check in.
package struct NoteOutage: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into outages (began_at, ended_at)
    select last_beat_at, $1 from heartbeat
    where $1::timestamptz > last_beat_at + make_interval(secs => $2::bigint / 1000000.0)
    on conflict on constraint outages_pkey do update set ended_at = greatest(outages.ended_at, excluded.ended_at)
    """
  package let now: Instant
  /// As of Beat.
  package let longestGapUs: Int64

  package init(now: Instant, longestGapUs: Int64) {
    self.now = now
    self.longestGapUs = longestGapUs
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(longestGapUs)
  }
}

/// Removes outages that no session will be judged by any more.
package struct DeleteOldOutages: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from outages where began_at in (
      select began_at from outages where ended_at <= $1 limit $2 for update skip locked
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

/// Makes the judgement of a session wait for the end of the transaction, so that a check-in that arrived within the window counts although it
/// waits for others ([MA-8]); or waits for a judgement that has begun.
package struct HoldJudgement: Statement {
  package typealias Row = Void
  package static let sql = """
    select from sessions, pg_advisory_xact_lock_shared(hashtextextended('judgement ' || extract(epoch from starts_at::timestamptz)::text, 0)) where id = $1
    """
  package let sessionID: SessionID

  package init(sessionID: SessionID) {
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
  }
}

/// Waits for the check-ins in sessions that start at a moment, before they are judged; no further ones begin until the end of the transaction.
package struct AwaitCheckIns: Statement {
  package typealias Row = Void
  package static let sql = """
    select from pg_advisory_xact_lock(hashtextextended('judgement ' || extract(epoch from $1::timestamptz)::text, 0))
    """
  package let startsAt: Instant

  package init(startsAt: Instant) {
    self.startsAt = startsAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(startsAt)
  }
}

/// Locks the rows of the users whose attendance JudgeSessions will count, in the order of ids, before the sessions'.
package struct LockUsersToJudge: Statement {
  package typealias Row = UserID
  package static let sql = """
    select id from users
    where id in (
      select unnest(array[due.owner_id, due.partner_id])
      from (
        select owner_id, partner_id, state from sessions
        where starts_at = $1 and state in ('OPEN', 'MATCHED')
        order by sessions.id limit $2
      ) as due
      where due.state = 'MATCHED'
    )
    order by id for no key update
    """
  /// The moment.
  package let startsAt: Instant
  package let limit: Int64

  package init(startsAt: Instant, limit: Int64) {
    self.startsAt = startsAt
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(startsAt)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Judges some of the sessions that start at one moment ([MA-10]): matched ones fail, open ones lapse. Participants who did not check in are
/// counted as missing and barred, unless the service was down while they could have.
package struct JudgeSessions: Statement {
  package struct Row: Sendable {
    package let id: SessionID
    package let ownerID: UserID?
    package let partnerID: UserID?
    package let gymName: String
    package let state: SessionState
    /// Whether the service was down.
    package let isExcused: Bool
    /// Which participants of a matched session did not check in.
    package let absent: [UserID]
  }

  package static let sql = """
    with excused as materialized (
      select exists (
        select from outages where began_at < $1 and ended_at > $2
      ) as value
    ), due as materialized (
      select id, owner_id, partner_id, state, gym_name from sessions
      where starts_at = $3 and state in ('OPEN', 'MATCHED')
      order by id limit $4
      for no key update
    ), judged as (
      update sessions
      set
        state = case due.state when 'OPEN' then 'LAPSED' else 'FAILED' end, revision = revision + 1, updated_at = $5
      from due where sessions.id = due.id
    ), freed as (
      update participations set active = false, changed_in = pg_current_xact_id()
      from due where participations.session_id = due.id and participations.present
      returning participations.session_id, participations.user_id, participations.checked_in_at, due.state
    ), verdicts as materialized (
      select session_id, user_id, checked_in_at is not null as attended from freed where state = 'MATCHED'
    ), counted as (
      update users
      set
        attended = users.attended + case when verdicts.attended then 1 else 0 end,
        missed = users.missed + case when verdicts.attended or (select value from excused) then 0 else 1 end
      from verdicts where users.id = verdicts.user_id and not users.deleted
    ), imposed as (
      insert into bars (id, user_id, session_id, cause, began_at, ends_at)
      select
        overlay(overlay(gen_random_uuid()::text placing $6::text from 1 for 13) placing '7' from 15 for 1)::uuid,
        user_id, session_id, 'NO_SHOW', $1, $7
      from verdicts where not attended and not (select value from excused)
      on conflict on constraint bars_once do nothing
      returning id
    ), noted as (
      insert into bar_changes (bar_id, number, change, actor, reason, happened_at)
      select id, 1, 'IMPOSED', 'matching', '', $5 from imposed
    )
    select
      due.id as id, due.owner_id, due.partner_id, due.gym_name as gym_name, due.state as state, (select value from excused) as is_excused,
      coalesce(missing.absent, '{}') as absent
    from due left join (
      select session_id, array_agg(user_id order by user_id) as absent from verdicts where not attended group by session_id
    ) as missing on missing.session_id = due.id
    order by due.id
    """
  /// Until when.
  package let windowEnd: Instant
  /// From when participants could check in.
  package let windowStart: Instant
  /// The moment.
  package let startsAt: Instant
  package let limit: Int64
  package let now: Instant
  package let timePrefix: String
  /// When the bars end.
  package let endsAt: Instant

  package init(
    windowEnd: Instant, windowStart: Instant, startsAt: Instant, limit: Int64, now: Instant, timePrefix: String,
    endsAt: Instant) {
    self.windowEnd = windowEnd
    self.windowStart = windowStart
    self.startsAt = startsAt
    self.limit = limit
    self.now = now
    self.timePrefix = timePrefix
    self.endsAt = endsAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(windowEnd)
    p.append(windowStart)
    p.append(startsAt)
    p.append(limit)
    p.append(now)
    p.append(timePrefix)
    p.append(endsAt)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), ownerID: try row.next(), partnerID: try row.next(), gymName: try row.next(),
      state: try row.next(), isExcused: try row.next(), absent: try row.next())
  }
}

/// A page of the matched sessions that start at a moment, for reminders ([MA-12]).
package struct SessionsToRemind: Statement {
  package struct Row: Sendable {
    package let id: SessionID
    package let ownerID: UserID
    package let partnerID: UserID
    package let gymName: String
    package let gymID: GymID
  }

  package static let sql = """
    select id, owner_id as owner_id, partner_id as partner_id, gym_name, gym_id from sessions
    where starts_at = $1 and state in ('OPEN', 'MATCHED') and state = 'MATCHED' and id > $2
    order by id limit $3
    """
  package let startsAt: Instant
  package let afterID: SessionID
  package let limit: Int64

  package init(startsAt: Instant, afterID: SessionID, limit: Int64) {
    self.startsAt = startsAt
    self.afterID = afterID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(startsAt)
    p.append(afterID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), ownerID: try row.next(), partnerID: try row.next(), gymName: try row.next(),
      gymID: try row.next())
  }
}
