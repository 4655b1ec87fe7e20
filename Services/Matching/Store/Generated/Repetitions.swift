// Made from repetitions.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import MatchingDomain
import Postgres

/// A session that is posted every week.
package struct StoredRepetition: Sendable, RowDecodable {
  package let id: RepetitionID
  package let userID: UserID
  package let gymID: GymID
  package let gymName: String
  package let gymLatitude: Double
  package let gymLongitude: Double
  package let timeZone: String
  package let focus: Focus
  package let level: Level
  package let admitted: Int16
  package let minuteOfDay: Int16
  package let lengthS: Int32
  package let nextDay: CivilDate
  package let untilDay: CivilDate?
  package let createdAt: Instant
  package let offsetUs: Int64
  package let joinLeadS: Int32
  package let gymOutline: [Double]?
  package let gymRadiusM: Double?

  package init(
    id: RepetitionID, userID: UserID, gymID: GymID, gymName: String, gymLatitude: Double, gymLongitude: Double,
    timeZone: String, focus: Focus, level: Level, admitted: Int16, minuteOfDay: Int16, lengthS: Int32,
    nextDay: CivilDate, untilDay: CivilDate?, createdAt: Instant, offsetUs: Int64, joinLeadS: Int32,
    gymOutline: [Double]?, gymRadiusM: Double?) {
    self.id = id
    self.userID = userID
    self.gymID = gymID
    self.gymName = gymName
    self.gymLatitude = gymLatitude
    self.gymLongitude = gymLongitude
    self.timeZone = timeZone
    self.focus = focus
    self.level = level
    self.admitted = admitted
    self.minuteOfDay = minuteOfDay
    self.lengthS = lengthS
    self.nextDay = nextDay
    self.untilDay = untilDay
    self.createdAt = createdAt
    self.offsetUs = offsetUs
    self.joinLeadS = joinLeadS
    self.gymOutline = gymOutline
    self.gymRadiusM = gymRadiusM
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredRepetition {
    StoredRepetition(
      id: try row.next(), userID: try row.next(), gymID: try row.next(), gymName: try row.next(),
      gymLatitude: try row.next(), gymLongitude: try row.next(), timeZone: try row.next(), focus: try row.next(),
      level: try row.next(), admitted: try row.next(), minuteOfDay: try row.next(), lengthS: try row.next(),
      nextDay: try row.next(), untilDay: try row.next(), createdAt: try row.next(), offsetUs: try row.next(),
      joinLeadS: try row.next(), gymOutline: try row.next(), gymRadiusM: try row.next())
  }
}

/// When a session starts by the clocks of its gym's zone.
package struct LocalStart: SingleRowStatement {
  package struct Row: Sendable {
    /// Microseconds after that minute.
    package let offsetUs: Int64
    /// Whether a repetition of the user has posted it.
    package let isRepeated: Bool
    /// The local day.
    package let day: CivilDate
    /// Of that day.
    package let minute: Int16
  }

  package static let sql = """
    select
      extract(microseconds from starts_at)::bigint as offset_us,
      exists (
        select from repetitions where repetitions.id = sessions.repetition_id and repetitions.user_id = $1
      ) as is_repeated,
      (starts_at at time zone time_zone)::date as day,
      floor(extract(epoch from (starts_at at time zone time_zone)::time) / 60)::smallint as minute
    from sessions where id = $2
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
    Row(offsetUs: try row.next(), isRepeated: try row.next(), day: try row.next(), minute: try row.next())
  }
}

/// Repeats a session of a user whose row the transaction has locked; no row if the user has the most repetitions. Fails with
/// `repetitions_once` where the session is repeated already.
package struct InsertRepetition: SingleRowStatement {
  package typealias Row = StoredRepetition
  package static let sql = """
    insert into repetitions as repetition (
      id, user_id, place, session_id, gym_id, gym_name, gym_latitude, gym_longitude, time_zone, focus, level, admitted,
      minute_of_day, offset_us, join_lead_s, gym_outline, gym_radius_m, length_s, next_day, until_day, created_at
    )
    select
      $1, $2, free.place, sessions.id, sessions.gym_id, sessions.gym_name, sessions.gym_latitude,
      sessions.gym_longitude, sessions.time_zone, sessions.focus, sessions.level, sessions.admitted, $3,
      $4, extract(epoch from sessions.starts_at - coalesce(sessions.joins_end_at, sessions.starts_at))::integer,
      sessions.gym_outline, sessions.gym_radius_m,
      extract(epoch from sessions.ends_at - sessions.starts_at)::integer, $5, $6, $7
    from sessions cross join generate_series(1, 20) as free (place)
    where sessions.id = $8
      and not exists (select from repetitions where user_id = $2 and repetitions.place = free.place)
    order by free.place
    limit 1
    returning repetition.id, repetition.user_id, repetition.gym_id, repetition.gym_name, repetition.gym_latitude, repetition.gym_longitude,
    repetition.time_zone, repetition.focus, repetition.level, repetition.admitted, repetition.minute_of_day, repetition.length_s,
    repetition.next_day, repetition.until_day, repetition.created_at, repetition.offset_us, repetition.join_lead_s,
    repetition.gym_outline, repetition.gym_radius_m
    """
  package let repetitionID: RepetitionID
  package let userID: UserID
  package let minuteOfDay: Int16
  package let offsetUs: Int64
  package let nextDay: CivilDate
  package let untilDay: CivilDate?
  package let now: Instant
  package let sessionID: SessionID

  package init(
    repetitionID: RepetitionID, userID: UserID, minuteOfDay: Int16, offsetUs: Int64, nextDay: CivilDate,
    untilDay: CivilDate?, now: Instant, sessionID: SessionID) {
    self.repetitionID = repetitionID
    self.userID = userID
    self.minuteOfDay = minuteOfDay
    self.offsetUs = offsetUs
    self.nextDay = nextDay
    self.untilDay = untilDay
    self.now = now
    self.sessionID = sessionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(repetitionID)
    p.append(userID)
    p.append(minuteOfDay)
    p.append(offsetUs)
    p.append(nextDay)
    p.append(untilDay)
    p.append(now)
    p.append(sessionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredRepetition.decode(row)
  }
}

/// A user's repetitions, the newest first: there are 20 at most.
package struct RepetitionsOf: Statement {
  package typealias Row = StoredRepetition
  package static let sql = """
    select repetition.id, repetition.user_id, repetition.gym_id, repetition.gym_name, repetition.gym_latitude, repetition.gym_longitude,
    repetition.time_zone, repetition.focus, repetition.level, repetition.admitted, repetition.minute_of_day, repetition.length_s,
    repetition.next_day, repetition.until_day, repetition.created_at, repetition.offset_us, repetition.join_lead_s,
    repetition.gym_outline, repetition.gym_radius_m from repetitions as repetition
    where repetition.user_id = $1 order by repetition.id desc
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredRepetition.decode(row)
  }
}

/// A repetition, locked until the transaction ends.
package struct LockedRepetition: SingleRowStatement {
  package typealias Row = StoredRepetition
  package static let sql = """
    select repetition.id, repetition.user_id, repetition.gym_id, repetition.gym_name, repetition.gym_latitude, repetition.gym_longitude,
    repetition.time_zone, repetition.focus, repetition.level, repetition.admitted, repetition.minute_of_day, repetition.length_s,
    repetition.next_day, repetition.until_day, repetition.created_at, repetition.offset_us, repetition.join_lead_s,
    repetition.gym_outline, repetition.gym_radius_m from repetitions as repetition where repetition.id = $1 for update
    """
  package let repetitionID: RepetitionID

  package init(repetitionID: RepetitionID) {
    self.repetitionID = repetitionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(repetitionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredRepetition.decode(row)
  }
}

/// The user whose repetition it is, to be locked first.
package struct OwnerOfRepetition: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select user_id from repetitions where id = $1
    """
  package let repetitionID: RepetitionID

  package init(repetitionID: RepetitionID) {
    self.repetitionID = repetitionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(repetitionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// When the next session starts, by the same function as repeating jobs: a local time that occurs twice is the first of both, for one that is
/// skipped it is the moment after the gap; null if the zone skips the day.
package struct RepetitionMoment: SingleRowStatement {
  package struct Row: Sendable {
    package let startsAt: Instant?
    /// Whether the user has a session then.
    package let hasOverlap: Bool
  }

  package static let sql = """
    with moment as (
      select
        user_id, length_s,
        job_occurrence(next_day, minute_of_day::integer, time_zone) + offset_us * interval '1 microsecond' as starts_at
      from repetitions
      where id = $1
    )
    select
      moment.starts_at,
      exists (
        select from participations
        where participations.user_id = moment.user_id and participations.active
          and participations.slot && tstzrange(moment.starts_at, moment.starts_at + make_interval(secs => moment.length_s))
      ) as has_overlap
    from moment
    """
  package let repetitionID: RepetitionID

  package init(repetitionID: RepetitionID) {
    self.repetitionID = repetitionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(repetitionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(startsAt: try row.next(), hasOverlap: try row.next())
  }
}

/// Goes on to the next week of a repetition that the transaction has locked; ends it after its last day.
package struct AdvanceRepetition: Statement {
  package typealias Row = Void
  package static let sql = """
    with ended as (
      delete from repetitions
      where id = $1 and until_day < next_day + 7
      returning id
    )
    update repetitions set next_day = next_day + 7 where id = $1 and id not in (select id from ended)
    """
  package let repetitionID: RepetitionID

  package init(repetitionID: RepetitionID) {
    self.repetitionID = repetitionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(repetitionID)
  }
}

/// Removes one of a user's repetitions; no row if it does not exist.
package struct DeleteRepetition: SingleRowStatement {
  package typealias Row = RepetitionID
  package static let sql = """
    delete from repetitions where id = $1 and user_id = $2 returning id
    """
  package let repetitionID: RepetitionID
  package let userID: UserID

  package init(repetitionID: RepetitionID, userID: UserID) {
    self.repetitionID = repetitionID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(repetitionID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes a user's repetitions ([C-9]).
package struct DeleteRepetitionsOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from repetitions where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}
