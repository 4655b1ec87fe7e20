// Made from views.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import ImporterDomain
import Postgres

package struct StoredFileImport: Sendable, RowDecodable {
  package let id: ImportID
  package let state: FileImportState
  package let format: String
  package let newActivities: Int32
  package let mergedActivities: Int32
  package let knownActivities: Int32
  package let stepDays: Int32
  package let sleepCount: Int32
  package let weightCount: Int32
  package let faultMessage: String?
  package let faultOffset: Int64?
  package let faultLine: Int64?
  package let faultMember: String?
  package let activityIDs: [ActivityID]
  package let skippedCount: Int32
  package let skippedMembers: [String]
  package let skippedLists: [String]
  package let skippedIndexes: [Int64]
  package let skippedMessages: [String]
  package let failure: String?
  package let startedAt: Instant

  package init(
    id: ImportID, state: FileImportState, format: String, newActivities: Int32, mergedActivities: Int32,
    knownActivities: Int32, stepDays: Int32, sleepCount: Int32, weightCount: Int32, faultMessage: String?,
    faultOffset: Int64?, faultLine: Int64?, faultMember: String?, activityIDs: [ActivityID], skippedCount: Int32,
    skippedMembers: [String], skippedLists: [String], skippedIndexes: [Int64], skippedMessages: [String],
    failure: String?, startedAt: Instant) {
    self.id = id
    self.state = state
    self.format = format
    self.newActivities = newActivities
    self.mergedActivities = mergedActivities
    self.knownActivities = knownActivities
    self.stepDays = stepDays
    self.sleepCount = sleepCount
    self.weightCount = weightCount
    self.faultMessage = faultMessage
    self.faultOffset = faultOffset
    self.faultLine = faultLine
    self.faultMember = faultMember
    self.activityIDs = activityIDs
    self.skippedCount = skippedCount
    self.skippedMembers = skippedMembers
    self.skippedLists = skippedLists
    self.skippedIndexes = skippedIndexes
    self.skippedMessages = skippedMessages
    self.failure = failure
    self.startedAt = startedAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredFileImport {
    StoredFileImport(
      id: try row.next(), state: try row.next(), format: try row.next(), newActivities: try row.next(),
      mergedActivities: try row.next(), knownActivities: try row.next(), stepDays: try row.next(),
      sleepCount: try row.next(), weightCount: try row.next(), faultMessage: try row.next(),
      faultOffset: try row.next(), faultLine: try row.next(), faultMember: try row.next(), activityIDs: try row.next(),
      skippedCount: try row.next(), skippedMembers: try row.next(), skippedLists: try row.next(),
      skippedIndexes: try row.next(), skippedMessages: try row.next(), failure: try row.next(),
      startedAt: try row.next())
  }
}

/// A page of a user's activities, the latest start first ([IM-11]).
package struct ActivitiesOfUser: Statement {
  package struct Row: Sendable {
    package let id: ActivityID
    package let figure: FigureColumns
  }

  package static let sql = """
    select id, sport, started_at, time_zone, duration_s, moving_s, distance_m, energy_kcal, heart_rate_avg_bpm, heart_rate_max_bpm, ascent_m,
    elevation_source, title from activities
    where
      user_id = $1 and $1 <> all(array(select user_id from erasures))
      and ($2::text is null or sport = $2)
      and started_at >= coalesce($3, '-infinity'::timestamptz)
      and started_at < coalesce($4, 'infinity'::timestamptz)
      and (started_at, id) < (
        coalesce($5, 'infinity'::timestamptz), coalesce($6, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
      )
    order by started_at desc, id desc
    limit $7
    """
  package let userID: UserID
  package let sport: Sport?
  package let since: Instant?
  package let before: Instant?
  package let lastStart: Instant?
  /// The last activity of the previous page.
  package let lastID: ActivityID?
  package let limit: Int64

  package init(
    userID: UserID, sport: Sport?, since: Instant?, before: Instant?, lastStart: Instant?, lastID: ActivityID?,
    limit: Int64) {
    self.userID = userID
    self.sport = sport
    self.since = since
    self.before = before
    self.lastStart = lastStart
    self.lastID = lastID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(sport)
    p.append(since)
    p.append(before)
    p.append(lastStart)
    p.append(lastID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(id: try row.next(), figure: try FigureColumns.decode(row))
  }
}

/// One of a user's activities.
package struct ActivityOfUser: SingleRowStatement {
  package struct Row: Sendable {
    package let id: ActivityID
    package let figure: FigureColumns
  }

  package static let sql = """
    select id, sport, started_at, time_zone, duration_s, moving_s, distance_m, energy_kcal, heart_rate_avg_bpm, heart_rate_max_bpm, ascent_m,
    elevation_source, title from activities where id = $1 and user_id = $2 and $2 <> all(array(select user_id from erasures))
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
    Row(id: try row.next(), figure: try FigureColumns.decode(row))
  }
}

/// The outline and all samples of the most exact source of an activity.
package struct BestTrack: SingleRowStatement {
  package struct Row: Sendable {
    package let sport: Sport
    package let startedAt: Instant
    package let outline: [UInt8]
    package let track: [UInt8]?
  }

  package static let sql = """
    select sport, started_at, outline, track from activity_sources
    where activity_id = $1
    order by
      position_count > 0 desc, duration_s >= 0.8 * max(duration_s) over (partition by position_count > 0) desc,
      position_count desc, sample_count desc, duration_s desc, id
    limit 1
    """
  package let activityID: ActivityID

  package init(activityID: ActivityID) {
    self.activityID = activityID
  }

  package func bind(_ p: inout Parameters) {
    p.append(activityID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(sport: try row.next(), startedAt: try row.next(), outline: try row.next(), track: try row.next())
  }
}

/// Begins the import of a file; no row, and nothing stored, if the user has begun so many since.
package struct InsertFileImport: SingleRowStatement {
  package typealias Row = Int32
  package static let sql = """
    insert into file_imports (
      id, user_id, state, format, new_activities, merged_activities, known_activities, step_days, sleep_count, weight_count,
      activity_ids, started_at
    )
    select $1, $2, 'RUNNING', '', 0, 0, 0, 0, 0, 0, '{}', $3
    where (
      select count(*) from (
        select from file_imports where user_id = $2 and id > $4 limit $5
      ) as recent
    ) < $5
    returning 1 as begun
    """
  package let importID: ImportID
  package let userID: UserID
  package let now: Instant
  package let since: ImportID
  package let most: Int64

  package init(importID: ImportID, userID: UserID, now: Instant, since: ImportID, most: Int64) {
    self.importID = importID
    self.userID = userID
    self.now = now
    self.since = since
    self.most = most
  }

  package func bind(_ p: inout Parameters) {
    p.append(importID)
    p.append(userID)
    p.append(now)
    p.append(since)
    p.append(most)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Stores how the import of a file ended, unless it has ended: a failure that is reported after the end was stored, as
/// of a connection that broke during the commit, changes nothing. What was staged for it is stored by then, or given up.
package struct FinishFileImport: Statement {
  package typealias Row = ImportID
  package static let sql = """
    with dropped as (delete from staged_reports where staged_reports.import_id = $1)
    update file_imports
    set
      state = $2, format = $3, new_activities = $4, merged_activities = $5,
      known_activities = $6, step_days = $7, sleep_count = $8, weight_count = $9,
      fault_message = $10, fault_offset = $11, fault_line = $12, fault_member = $13,
      activity_ids = $14::uuid[], skipped_count = $15, skipped_members = $16::text[],
      skipped_lists = $17::text[], skipped_indexes = $18::bigint[],
      skipped_messages = $19::text[], failure = $20
    where id = $1 and state = 'RUNNING'
    returning id
    """
  package let importID: ImportID
  package let state: FileImportState
  package let format: String
  package let newActivities: Int32
  package let mergedActivities: Int32
  package let knownActivities: Int32
  package let stepDays: Int32
  package let sleepCount: Int32
  package let weightCount: Int32
  package let faultMessage: String?
  package let faultOffset: Int64?
  package let faultLine: Int64?
  package let faultMember: String?
  package let activityIDs: [ActivityID]
  package let skippedCount: Int32
  package let skippedMembers: [String]
  package let skippedLists: [String]
  package let skippedIndexes: [Int64]
  package let skippedMessages: [String]
  package let failure: String?

  package init(
    importID: ImportID, state: FileImportState, format: String, newActivities: Int32, mergedActivities: Int32,
    knownActivities: Int32, stepDays: Int32, sleepCount: Int32, weightCount: Int32, faultMessage: String?,
    faultOffset: Int64?, faultLine: Int64?, faultMember: String?, activityIDs: [ActivityID], skippedCount: Int32,
    skippedMembers: [String], skippedLists: [String], skippedIndexes: [Int64], skippedMessages: [String],
    failure: String?) {
    self.importID = importID
    self.state = state
    self.format = format
    self.newActivities = newActivities
    self.mergedActivities = mergedActivities
    self.knownActivities = knownActivities
    self.stepDays = stepDays
    self.sleepCount = sleepCount
    self.weightCount = weightCount
    self.faultMessage = faultMessage
    self.faultOffset = faultOffset
    self.faultLine = faultLine
    self.faultMember = faultMember
    self.activityIDs = activityIDs
    self.skippedCount = skippedCount
    self.skippedMembers = skippedMembers
    self.skippedLists = skippedLists
    self.skippedIndexes = skippedIndexes
    self.skippedMessages = skippedMessages
    self.failure = failure
  }

  package func bind(_ p: inout Parameters) {
    p.append(importID)
    p.append(state)
    p.append(format)
    p.append(newActivities)
    p.append(mergedActivities)
    p.append(knownActivities)
    p.append(stepDays)
    p.append(sleepCount)
    p.append(weightCount)
    p.append(faultMessage)
    p.append(faultOffset)
    p.append(faultLine)
    p.append(faultMember)
    p.append(activityIDs)
    p.append(skippedCount)
    p.append(skippedMembers)
    p.append(skippedLists)
    p.append(skippedIndexes)
    p.append(skippedMessages)
    p.append(failure)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// An import of a file.
package struct FileImportByID: SingleRowStatement {
  package typealias Row = StoredFileImport
  package static let sql = """
    select id, state, format, new_activities, merged_activities, known_activities, step_days, sleep_count, weight_count, fault_message,
    fault_offset, fault_line, fault_member, activity_ids, skipped_count, skipped_members, skipped_lists, skipped_indexes,
    skipped_messages, failure, started_at from file_imports where id = $1
    """
  package let importID: ImportID

  package init(importID: ImportID) {
    self.importID = importID
  }

  package func bind(_ p: inout Parameters) {
    p.append(importID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredFileImport.decode(row)
  }
}

/// Removes some imports of files that began long ago; what they brought stays.
package struct DeleteOldFileImports: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from file_imports where id in (
      select id from file_imports where started_at <= $1 limit $2 for update skip locked
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

/// A page of a user's imports of files, the newest first ([IM-10]).
package struct FileImportsOfUser: Statement {
  package typealias Row = StoredFileImport
  package static let sql = """
    select id, state, format, new_activities, merged_activities, known_activities, step_days, sleep_count, weight_count, fault_message,
    fault_offset, fault_line, fault_member, activity_ids, skipped_count, skipped_members, skipped_lists, skipped_indexes,
    skipped_messages, failure, started_at from file_imports
    where user_id = $1 and id < coalesce($2, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    order by id desc
    limit $3
    """
  package let userID: UserID
  /// The last import of the previous page.
  package let before: ImportID?
  package let limit: Int64

  package init(userID: UserID, before: ImportID?, limit: Int64) {
    self.userID = userID
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredFileImport.decode(row)
  }
}

/// A user's activities of days in a zone, added up by period and sport ([IM-11]).
package struct SummarizedActivities: Statement {
  package struct Row: Sendable {
    package let startDay: CivilDate
    package let sport: Sport
    package let activities: Int32
    package let durationS: Double
    package let distanceM: Double
    package let energyKcal: Double
    package let ascentM: Double
  }

  package static let pace = Pace.slow
  package static let sql = """
    select
      date_trunc($1::text, started_at at time zone $2)::date as start_day, sport, count(*)::integer as activities,
      sum(duration_s) as duration_s, coalesce(sum(distance_m), 0) as distance_m,
      coalesce(sum(energy_kcal), 0) as energy_kcal, coalesce(sum(ascent_m), 0) as ascent_m
    from activities
    where
      user_id = $3 and $3 <> all(array(select user_id from erasures))
      and started_at >= $4::date::timestamp at time zone $2
      and started_at < ($5::date + 1)::timestamp at time zone $2
    group by 1, 2
    order by 1, 4 desc
    """
  /// day, week or month.
  package let unit: String
  package let zone: String
  package let userID: UserID
  package let firstDay: CivilDate
  package let lastDay: CivilDate

  package init(unit: String, zone: String, userID: UserID, firstDay: CivilDate, lastDay: CivilDate) {
    self.unit = unit
    self.zone = zone
    self.userID = userID
    self.firstDay = firstDay
    self.lastDay = lastDay
  }

  package func bind(_ p: inout Parameters) {
    p.append(unit)
    p.append(zone)
    p.append(userID)
    p.append(firstDay)
    p.append(lastDay)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      startDay: try row.next(), sport: try row.next(), activities: try row.next(), durationS: try row.next(),
      distanceM: try row.next(), energyKcal: try row.next(), ascentM: try row.next())
  }
}

/// A user's steps of days, of each day those of the provider that counted most, added up by period.
package struct SummarizedSteps: Statement {
  package struct Row: Sendable {
    package let startDay: CivilDate
    package let steps: Int64
  }

  package static let pace = Pace.slow
  package static let sql = """
    select date_trunc($1::text, day::timestamp)::date as start_day, sum(steps)::bigint as steps
    from (
      select day, max(steps) as steps from daily_steps
      where user_id = $2 and $2 <> all(array(select user_id from erasures)) and day between $3 and $4
      group by day
    ) as counted
    group by 1
    """
  package let unit: String
  package let userID: UserID
  package let firstDay: CivilDate
  package let lastDay: CivilDate

  package init(unit: String, userID: UserID, firstDay: CivilDate, lastDay: CivilDate) {
    self.unit = unit
    self.userID = userID
    self.firstDay = firstDay
    self.lastDay = lastDay
  }

  package func bind(_ p: inout Parameters) {
    p.append(unit)
    p.append(userID)
    p.append(firstDay)
    p.append(lastDay)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(startDay: try row.next(), steps: try row.next())
  }
}

/// A user's sleep that ended on days in a zone, of each day that of the provider that measured most, added up by period.
package struct SummarizedSleeps: Statement {
  package struct Row: Sendable {
    package let startDay: CivilDate
    package let asleepS: Double
  }

  package static let pace = Pace.slow
  package static let sql = """
    select date_trunc($1::text, day::timestamp)::date as start_day, sum(asleep_s) as asleep_s
    from (
      select day, max(asleep_s) as asleep_s
      from (
        select (ended_at at time zone $2)::date as day, sum(asleep_s) as asleep_s from sleeps
        where
          user_id = $3 and $3 <> all(array(select user_id from erasures)) and counted
          and ended_at >= $4::date::timestamp at time zone $2
          and ended_at < ($5::date + 1)::timestamp at time zone $2
        group by 1, provider
      ) as measured
      group by day
    ) as slept
    group by 1
    """
  package let unit: String
  package let zone: String
  package let userID: UserID
  package let firstDay: CivilDate
  package let lastDay: CivilDate

  package init(unit: String, zone: String, userID: UserID, firstDay: CivilDate, lastDay: CivilDate) {
    self.unit = unit
    self.zone = zone
    self.userID = userID
    self.firstDay = firstDay
    self.lastDay = lastDay
  }

  package func bind(_ p: inout Parameters) {
    p.append(unit)
    p.append(zone)
    p.append(userID)
    p.append(firstDay)
    p.append(lastDay)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(startDay: try row.next(), asleepS: try row.next())
  }
}

/// A user's last weighing of each period of days in a zone.
package struct SummarizedWeights: Statement {
  package struct Row: Sendable {
    package let startDay: CivilDate
    package let weightKg: Double
  }

  package static let pace = Pace.slow
  package static let sql = """
    select distinct on (measured.start_day) measured.start_day as start_day, measured.weight_kg as weight_kg
    from (
      select date_trunc($1::text, measured_at at time zone $2)::date as start_day, measured_at, weight_kg from weights
      where
        user_id = $3 and $3 <> all(array(select user_id from erasures))
        and measured_at >= $4::date::timestamp at time zone $2
        and measured_at < ($5::date + 1)::timestamp at time zone $2
    ) as measured
    order by measured.start_day, measured.measured_at desc
    """
  package let unit: String
  package let zone: String
  package let userID: UserID
  package let firstDay: CivilDate
  package let lastDay: CivilDate

  package init(unit: String, zone: String, userID: UserID, firstDay: CivilDate, lastDay: CivilDate) {
    self.unit = unit
    self.zone = zone
    self.userID = userID
    self.firstDay = firstDay
    self.lastDay = lastDay
  }

  package func bind(_ p: inout Parameters) {
    p.append(unit)
    p.append(zone)
    p.append(userID)
    p.append(firstDay)
    p.append(lastDay)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(startDay: try row.next(), weightKg: try row.next())
  }
}

/// Fails with `unknownZone` for a time zone that the database does not know.
package struct KnownZone: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select (now() at time zone $1) is not null as known
    """
  package let zone: String

  package init(zone: String) {
    self.zone = zone
  }

  package func bind(_ p: inout Parameters) {
    p.append(zone)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// What a user's clock shows, as if its zone were UTC, as moments, in order; what a clock change skips or repeats is standard time.
package struct MomentsInZone: Statement {
  package typealias Row = Instant
  package static let sql = """
    select (local.moment at time zone 'UTC') at time zone $1 as moment
    from unnest($2::timestamptz[]) with ordinality as local (moment, place)
    order by local.place
    """
  package let zone: String
  package let moments: [Instant]

  package init(zone: String, moments: [Instant]) {
    self.zone = zone
    self.moments = moments
  }

  package func bind(_ p: inout Parameters) {
    p.append(zone)
    p.append(moments)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A user's least times over set distances, by sport ([IM-11]).
package struct FastestEfforts: Statement {
  package struct Row: Sendable {
    package let sport: Sport
    package let distanceM: Double
    package let durationS: Double
    package let id: ActivityID
    package let startedAt: Instant
  }

  package static let sql = """
    select distinct on (activity.sport, effort.distance_m)
      activity.sport, effort.distance_m, effort.duration_s, activity.id, activity.started_at
    from activities as activity
    join activity_sources as source on source.activity_id = activity.id
    join best_efforts as effort on effort.source_id = source.id
    where activity.user_id = $1 and $1 <> all(array(select user_id from erasures)) and ($2::text is null or activity.sport = $2)
    order by activity.sport, effort.distance_m, effort.duration_s, activity.started_at
    """
  package let userID: UserID
  package let sport: Sport?

  package init(userID: UserID, sport: Sport?) {
    self.userID = userID
    self.sport = sport
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(sport)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      sport: try row.next(), distanceM: try row.next(), durationS: try row.next(), id: try row.next(),
      startedAt: try row.next())
  }
}

/// A user's activity of greatest distance of each sport.
package struct FarthestActivities: Statement {
  package struct Row: Sendable {
    package let sport: Sport
    package let distanceM: Double
    package let durationS: Double
    package let id: ActivityID
    package let startedAt: Instant
  }

  package static let sql = """
    select distinct on (sport) sport, distance_m as distance_m, duration_s, id, started_at from activities
    where user_id = $1 and $1 <> all(array(select user_id from erasures)) and ($2::text is null or sport = $2) and distance_m > 0
    order by sport, distance_m desc, started_at
    """
  package let userID: UserID
  package let sport: Sport?

  package init(userID: UserID, sport: Sport?) {
    self.userID = userID
    self.sport = sport
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(sport)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      sport: try row.next(), distanceM: try row.next(), durationS: try row.next(), id: try row.next(),
      startedAt: try row.next())
  }
}

/// A user's activity of longest duration of each sport.
package struct LongestActivities: Statement {
  package struct Row: Sendable {
    package let sport: Sport
    package let distanceM: Double
    package let durationS: Double
    package let id: ActivityID
    package let startedAt: Instant
  }

  package static let sql = """
    select distinct on (sport) sport, coalesce(distance_m, 0) as distance_m, duration_s, id, started_at from activities
    where user_id = $1 and $1 <> all(array(select user_id from erasures)) and ($2::text is null or sport = $2) and duration_s > 0
    order by sport, duration_s desc, started_at
    """
  package let userID: UserID
  package let sport: Sport?

  package init(userID: UserID, sport: Sport?) {
    self.userID = userID
    self.sport = sport
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(sport)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      sport: try row.next(), distanceM: try row.next(), durationS: try row.next(), id: try row.next(),
      startedAt: try row.next())
  }
}

/// A page of a user's sources with all that is stored of them, by their ids.
package struct SourcesForExport: Statement {
  package struct Row: Sendable {
    package let id: SourceID
    package let activityID: ActivityID
    package let provider: String
    package let externalID: String
    package let device: String
    package let figure: FigureColumns
    package let track: [UInt8]?
    package let raw: String?
  }

  package static let sql = """
    select
      id, activity_id, provider, external_id, device, sport, started_at, time_zone, duration_s, moving_s, distance_m, energy_kcal, heart_rate_avg_bpm, heart_rate_max_bpm, ascent_m,
    elevation_source, title, track, raw
    from activity_sources
    where user_id = $1 and $1 <> all(array(select user_id from erasures)) and id > coalesce($2, '00000000-0000-0000-0000-000000000000'::uuid)
    order by id
    limit $3
    """
  package let userID: UserID
  package let after: SourceID?
  package let limit: Int64

  package init(userID: UserID, after: SourceID?, limit: Int64) {
    self.userID = userID
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), activityID: try row.next(), provider: try row.next(), externalID: try row.next(),
      device: try row.next(), figure: try FigureColumns.decode(row), track: try row.next(), raw: try row.next())
  }
}

/// A page of a user's steps, by day.
package struct StepsForExport: Statement {
  package struct Row: Sendable {
    package let day: CivilDate
    package let provider: String
    package let steps: Int64
    package let raw: String?
  }

  package static let sql = """
    select day, provider, steps, raw from daily_steps
    where user_id = $1 and $1 <> all(array(select user_id from erasures)) and (day, provider) > (coalesce($2, '-infinity'::date), coalesce($3, ''::text))
    order by day, provider
    limit $4
    """
  package let userID: UserID
  package let lastDay: CivilDate?
  package let lastProvider: String?
  package let limit: Int64

  package init(userID: UserID, lastDay: CivilDate?, lastProvider: String?, limit: Int64) {
    self.userID = userID
    self.lastDay = lastDay
    self.lastProvider = lastProvider
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(lastDay)
    p.append(lastProvider)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(day: try row.next(), provider: try row.next(), steps: try row.next(), raw: try row.next())
  }
}

/// A page of a user's sleep, by its end.
package struct SleepsForExport: Statement {
  package struct Row: Sendable {
    package let provider: String
    package let externalID: String
    package let startedAt: Instant
    package let endedAt: Instant
    package let timeZone: String
    package let asleepS: Double
    package let raw: String?
  }

  package static let sql = """
    select provider, external_id, started_at, ended_at, time_zone, asleep_s, raw from sleeps
    where
      user_id = $1 and $1 <> all(array(select user_id from erasures))
      and (ended_at, provider, external_id) > (
        coalesce($2, '-infinity'::timestamptz), coalesce($3, ''::text), coalesce($4, ''::text)
      )
    order by ended_at, provider, external_id
    limit $5
    """
  package let userID: UserID
  package let lastEnd: Instant?
  package let lastProvider: String?
  package let lastExternalID: String?
  package let limit: Int64

  package init(userID: UserID, lastEnd: Instant?, lastProvider: String?, lastExternalID: String?, limit: Int64) {
    self.userID = userID
    self.lastEnd = lastEnd
    self.lastProvider = lastProvider
    self.lastExternalID = lastExternalID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(lastEnd)
    p.append(lastProvider)
    p.append(lastExternalID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      provider: try row.next(), externalID: try row.next(), startedAt: try row.next(), endedAt: try row.next(),
      timeZone: try row.next(), asleepS: try row.next(), raw: try row.next())
  }
}

/// A page of a user's weighings, by time.
package struct WeightsForExport: Statement {
  package struct Row: Sendable {
    package let measuredAt: Instant
    package let provider: String
    package let weightKg: Double
    package let raw: String?
    package let composition: String?
  }

  package static let sql = """
    select measured_at, provider, weight_kg, raw, composition from weights
    where
      user_id = $1 and $1 <> all(array(select user_id from erasures))
      and (measured_at, provider) > (coalesce($2, '-infinity'::timestamptz), coalesce($3, ''::text))
    order by measured_at, provider
    limit $4
    """
  package let userID: UserID
  package let lastMoment: Instant?
  package let lastProvider: String?
  package let limit: Int64

  package init(userID: UserID, lastMoment: Instant?, lastProvider: String?, limit: Int64) {
    self.userID = userID
    self.lastMoment = lastMoment
    self.lastProvider = lastProvider
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(lastMoment)
    p.append(lastProvider)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      measuredAt: try row.next(), provider: try row.next(), weightKg: try row.next(), raw: try row.next(),
      composition: try row.next())
  }
}
