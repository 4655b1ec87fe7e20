// Made from activities.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import ImporterDomain
import Postgres

package struct FigureColumns: Sendable, RowDecodable {
  package let sport: Sport
  package let startedAt: Instant
  package let timeZone: String
  package let durationS: Double
  package let movingS: Double?
  package let distanceM: Double?
  package let energyKcal: Double?
  package let heartRateAvgBpm: Double?
  package let heartRateMaxBpm: Double?
  package let ascentM: Double?
  package let elevationSource: ElevationSource?
  package let title: String

  package init(
    sport: Sport, startedAt: Instant, timeZone: String, durationS: Double, movingS: Double?, distanceM: Double?,
    energyKcal: Double?, heartRateAvgBpm: Double?, heartRateMaxBpm: Double?, ascentM: Double?,
    elevationSource: ElevationSource?, title: String) {
    self.sport = sport
    self.startedAt = startedAt
    self.timeZone = timeZone
    self.durationS = durationS
    self.movingS = movingS
    self.distanceM = distanceM
    self.energyKcal = energyKcal
    self.heartRateAvgBpm = heartRateAvgBpm
    self.heartRateMaxBpm = heartRateMaxBpm
    self.ascentM = ascentM
    self.elevationSource = elevationSource
    self.title = title
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> FigureColumns {
    FigureColumns(
      sport: try row.next(), startedAt: try row.next(), timeZone: try row.next(), durationS: try row.next(),
      movingS: try row.next(), distanceM: try row.next(), energyKcal: try row.next(), heartRateAvgBpm: try row.next(),
      heartRateMaxBpm: try row.next(), ascentM: try row.next(), elevationSource: try row.next(), title: try row.next())
  }
}

/// Whether the transaction has a user's records to itself from now on ([IM-8]). One that has not is to end and come again: it would hold a
/// connection while it waits.
package struct TryLockActivitiesOfUser: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select pg_try_advisory_xact_lock(hashtextextended('activities of ' || $1::uuid, 0)) as locked
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// What is stored of a user; the lengths of what lies beside the rows are in these.
package struct StorageOfUser: SingleRowStatement {
  package struct Row: Sendable {
    package let activities: Int64
    package let bytes: Int64
    package let stepDays: Int64
    package let sleeps: Int64
    package let weights: Int64
  }

  package static let sql = """
    select
      sources.number as activities, sources.bytes + days.bytes + nights.bytes + weighings.bytes as bytes,
      days.number as step_days,
      nights.number as sleeps,
      weighings.number as weights
    from
      (
        select
          count(*) as number,
          coalesce(
            sum(
              octet_length(trace) + octet_length(outline) + coalesce(octet_length(track), 0) + coalesce(octet_length(raw), 0)
            ), 0
          )::bigint as bytes
        from activity_sources where user_id = $1
      ) as sources,
      (
        select count(*) as number, coalesce(sum(coalesce(octet_length(raw), 0)), 0)::bigint as bytes
        from daily_steps where user_id = $1
      ) as days,
      (
        select count(*) as number, coalesce(sum(coalesce(octet_length(raw), 0)), 0)::bigint as bytes
        from sleeps where user_id = $1
      ) as nights,
      (
        select count(*) as number, coalesce(sum(coalesce(octet_length(raw), 0)), 0)::bigint as bytes
        from weights where user_id = $1
      ) as weighings
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      activities: try row.next(), bytes: try row.next(), stepDays: try row.next(), sleeps: try row.next(),
      weights: try row.next())
  }
}

/// Sources of a user that a provider reported before, by its ids of them.
package struct KnownSources: Statement {
  package struct Row: Sendable {
    package let id: SourceID
    package let activityID: ActivityID
    package let externalID: String
    package let digest: [UInt8]
  }

  package static let sql = """
    select id, activity_id, external_id, digest from activity_sources
    where user_id = $1 and provider = $2 and external_id = any($3::text[])
    """
  package let userID: UserID
  package let provider: String
  package let externalIDs: [String]

  package init(userID: UserID, provider: String, externalIDs: [String]) {
    self.userID = userID
    self.provider = provider
    self.externalIDs = externalIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
    p.append(externalIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(id: try row.next(), activityID: try row.next(), externalID: try row.next(), digest: try row.next())
  }
}

/// Those of a provider's ids whose activities the user has deleted here.
package struct DeletedActivities: Statement {
  package typealias Row = String
  package static let sql = """
    select external_id from deleted_activities
    where user_id = $1 and provider = $2 and external_id = any($3::text[])
    """
  package let userID: UserID
  package let provider: String
  package let externalIDs: [String]

  package init(userID: UserID, provider: String, externalIDs: [String]) {
    self.userID = userID
    self.provider = provider
    self.externalIDs = externalIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
    p.append(externalIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Records which sources of an activity providers would report again, also once they are connected anew; before it is deleted.
package struct RememberDeletedActivity: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into deleted_activities (user_id, provider, external_id, deleted_at)
    select source.user_id, source.provider, source.external_id, $1
    from activity_sources as source
    where
      source.activity_id = $2 and source.user_id = $3
      and source.provider <> 'file'
    on conflict on constraint deleted_activities_pkey do nothing
    """
  package let now: Instant
  package let activityID: ActivityID
  package let userID: UserID

  package init(now: Instant, activityID: ActivityID, userID: UserID) {
    self.now = now
    self.activityID = activityID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(activityID)
    p.append(userID)
  }
}

/// Until when a user has deleted what connected providers reported.
package struct DeletionsOfUser: Statement {
  package struct Row: Sendable {
    package let provider: String
    package let deletedUntil: Instant
  }

  package static let sql = """
    select provider, deleted_until as deleted_until from tracker_connections
    where user_id = $1 and state <> 'ENDING' and deleted_until is not null
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(provider: try row.next(), deletedUntil: try row.next())
  }
}

/// Forgets what a user has deleted of a provider: it may be imported again.
package struct ForgetDeletedActivities: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from deleted_activities where user_id = $1 and provider = $2
    """
  package let userID: UserID
  package let provider: String

  package init(userID: UserID, provider: String) {
    self.userID = userID
    self.provider = provider
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
  }
}

/// Sources of a user that may report the same outings as ones of these times and boxes: for each the few that start nearest to it. The
/// arrays belong together.
package struct SourcesNear: Statement {
  package struct Row: Sendable {
    package let id: SourceID
    package let activityID: ActivityID
    package let sport: Sport
    package let startedAt: Instant
    package let durationS: Double
    package let distanceM: Double?
    package let trace: [UInt8]
    package let splitOff: Bool
  }

  package static let sql = """
    select distinct on (near.id)
      near.id, near.activity_id, near.sport, near.started_at, near.duration_s, near.distance_m, near.trace, near.split_off
    from unnest(
      $1::timestamptz[], $2::timestamptz[], $3::boolean[], $4::double precision[],
      $5::double precision[], $6::double precision[], $7::double precision[]
    ) as wanted (start_time, end_time, placed, south, north, west, east)
    cross join lateral (
      select
        source.id, source.activity_id, source.sport, source.started_at, source.duration_s, source.distance_m, source.trace,
        activity.split_off
      from activity_sources as source inner join activities as activity on activity.id = source.activity_id
      where
        source.user_id = $8
        and source.started_at between wanted.start_time - $9::bigint * interval '1 second'
        and wanted.start_time + $9::bigint * interval '1 second'
        and case
          when not wanted.placed or source.position_count = 0
            then
              source.started_at <= wanted.end_time
              and source.started_at + source.duration_s * interval '1 second' >= wanted.start_time
          else
            source.south is null
            or (
              source.south <= wanted.north and source.north >= wanted.south
              and source.west <= wanted.east and source.east >= wanted.west
            )
        end
      order by abs(extract(epoch from source.started_at - wanted.start_time))
      limit $10
    ) as near
    order by near.id
    """
  package let starts: [Instant]
  package let ends: [Instant]
  /// Whether it has positions, which lie within the box that is named.
  package let placed: [Bool]
  package let souths: [Double]
  package let norths: [Double]
  package let wests: [Double]
  package let easts: [Double]
  package let userID: UserID
  package let reach: Int64
  package let candidates: Int64

  package init(
    starts: [Instant], ends: [Instant], placed: [Bool], souths: [Double], norths: [Double], wests: [Double],
    easts: [Double], userID: UserID, reach: Int64, candidates: Int64) {
    self.starts = starts
    self.ends = ends
    self.placed = placed
    self.souths = souths
    self.norths = norths
    self.wests = wests
    self.easts = easts
    self.userID = userID
    self.reach = reach
    self.candidates = candidates
  }

  package func bind(_ p: inout Parameters) {
    p.append(starts)
    p.append(ends)
    p.append(placed)
    p.append(souths)
    p.append(norths)
    p.append(wests)
    p.append(easts)
    p.append(userID)
    p.append(reach)
    p.append(candidates)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), activityID: try row.next(), sport: try row.next(), startedAt: try row.next(),
      durationS: try row.next(), distanceM: try row.next(), trace: try row.next(), splitOff: try row.next())
  }
}

/// A few sources of each of these activities, the most exact first.
package struct SourcesBeside: Statement {
  package struct Row: Sendable {
    package let id: SourceID
    package let activityID: ActivityID
    package let sport: Sport
    package let startedAt: Instant
    package let durationS: Double
    package let distanceM: Double?
    package let trace: [UInt8]
    package let splitOff: Bool
  }

  package static let sql = """
    select
      beside.id, beside.activity_id, beside.sport, beside.started_at, beside.duration_s, beside.distance_m, beside.trace,
      activity.split_off
    from activities as activity
    cross join lateral (
      select
        source.id, source.activity_id, source.sport, source.started_at, source.duration_s, source.distance_m, source.trace
      from activity_sources as source
      where source.activity_id = activity.id
      order by source.position_count desc, source.duration_s desc, source.id
      limit $1
    ) as beside
    where activity.id = any($2::uuid[])
    """
  package let sources: Int64
  package let activityIDs: [ActivityID]

  package init(sources: Int64, activityIDs: [ActivityID]) {
    self.sources = sources
    self.activityIDs = activityIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(sources)
    p.append(activityIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), activityID: try row.next(), sport: try row.next(), startedAt: try row.next(),
      durationS: try row.next(), distanceM: try row.next(), trace: try row.next(), splitOff: try row.next())
  }
}

/// Stores an activity with the figures of its first source; `UpdateActivity` follows.
package struct InsertActivity: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into activities (id, user_id, sport, started_at, time_zone, duration_s, title, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
    """
  package let activityID: ActivityID
  package let userID: UserID
  package let sport: Sport
  package let startedAt: Instant
  package let timeZone: String
  package let durationS: Double
  package let title: String
  package let now: Instant

  package init(
    activityID: ActivityID, userID: UserID, sport: Sport, startedAt: Instant, timeZone: String, durationS: Double,
    title: String, now: Instant) {
    self.activityID = activityID
    self.userID = userID
    self.sport = sport
    self.startedAt = startedAt
    self.timeZone = timeZone
    self.durationS = durationS
    self.title = title
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(activityID)
    p.append(userID)
    p.append(sport)
    p.append(startedAt)
    p.append(timeZone)
    p.append(durationS)
    p.append(title)
    p.append(now)
  }
}

/// Stores the figures of an activity's sources together.
package struct UpdateActivity: Statement {
  package typealias Row = Void
  package static let sql = """
    update activities
    set
      sport = $1, started_at = $2, time_zone = $3, duration_s = $4, moving_s = $5,
      distance_m = $6, energy_kcal = $7, heart_rate_avg_bpm = $8,
      heart_rate_max_bpm = $9, ascent_m = $10, elevation_source = $11, title = $12,
      updated_at = $13
    where id = $14
    """
  package let sport: Sport
  package let startedAt: Instant
  package let timeZone: String
  package let durationS: Double
  package let movingS: Double?
  package let distanceM: Double?
  package let energyKcal: Double?
  package let heartRateAvgBpm: Double?
  package let heartRateMaxBpm: Double?
  package let ascentM: Double?
  package let elevationSource: ElevationSource?
  package let title: String
  package let now: Instant
  package let activityID: ActivityID

  package init(
    sport: Sport, startedAt: Instant, timeZone: String, durationS: Double, movingS: Double?, distanceM: Double?,
    energyKcal: Double?, heartRateAvgBpm: Double?, heartRateMaxBpm: Double?, ascentM: Double?,
    elevationSource: ElevationSource?, title: String, now: Instant, activityID: ActivityID) {
    self.sport = sport
    self.startedAt = startedAt
    self.timeZone = timeZone
    self.durationS = durationS
    self.movingS = movingS
    self.distanceM = distanceM
    self.energyKcal = energyKcal
    self.heartRateAvgBpm = heartRateAvgBpm
    self.heartRateMaxBpm = heartRateMaxBpm
    self.ascentM = ascentM
    self.elevationSource = elevationSource
    self.title = title
    self.now = now
    self.activityID = activityID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sport)
    p.append(startedAt)
    p.append(timeZone)
    p.append(durationS)
    p.append(movingS)
    p.append(distanceM)
    p.append(energyKcal)
    p.append(heartRateAvgBpm)
    p.append(heartRateMaxBpm)
    p.append(ascentM)
    p.append(elevationSource)
    p.append(title)
    p.append(now)
    p.append(activityID)
  }
}

/// Stores a report, or what changed in it.
package struct PutSource: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into activity_sources (
      id, activity_id, user_id, provider, external_id, import_id, digest, sport, started_at, time_zone, duration_s, moving_s,
      distance_m, energy_kcal, heart_rate_avg_bpm, heart_rate_max_bpm, ascent_m, elevation_source, title, device, position_count,
      sample_count, trace, south, north, west, east, outline, track, raw, stored_at
    )
    values (
      $1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
      $11, $12, $13, $14, $15, $16, $17,
      $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31
    )
    on conflict on constraint activity_sources_external_key do update set
      import_id = excluded.import_id, digest = excluded.digest, sport = excluded.sport, started_at = excluded.started_at,
      time_zone = excluded.time_zone, duration_s = excluded.duration_s, moving_s = excluded.moving_s,
      distance_m = excluded.distance_m, energy_kcal = excluded.energy_kcal, heart_rate_avg_bpm = excluded.heart_rate_avg_bpm,
      heart_rate_max_bpm = excluded.heart_rate_max_bpm, ascent_m = excluded.ascent_m,
      elevation_source = excluded.elevation_source, title = excluded.title, device = excluded.device,
      position_count = excluded.position_count, sample_count = excluded.sample_count, trace = excluded.trace,
      south = excluded.south, north = excluded.north, west = excluded.west, east = excluded.east, outline = excluded.outline, track = excluded.track, raw = excluded.raw, stored_at = excluded.stored_at
    """
  package let sourceID: SourceID
  package let activityID: ActivityID
  package let userID: UserID
  package let provider: String
  package let externalID: String
  package let importID: ImportID?
  package let digest: [UInt8]
  package let sport: Sport
  package let startedAt: Instant
  package let timeZone: String
  package let durationS: Double
  package let movingS: Double?
  package let distanceM: Double?
  package let energyKcal: Double?
  package let heartRateAvgBpm: Double?
  package let heartRateMaxBpm: Double?
  package let ascentM: Double?
  package let elevationSource: ElevationSource?
  package let title: String
  package let device: String
  package let positionCount: Int32
  package let sampleCount: Int32
  package let trace: [UInt8]
  package let south: Double?
  package let north: Double?
  package let west: Double?
  package let east: Double?
  package let outline: [UInt8]
  package let track: [UInt8]?
  package let raw: String?
  package let now: Instant

  package init(
    sourceID: SourceID, activityID: ActivityID, userID: UserID, provider: String, externalID: String,
    importID: ImportID?, digest: [UInt8], sport: Sport, startedAt: Instant, timeZone: String, durationS: Double,
    movingS: Double?, distanceM: Double?, energyKcal: Double?, heartRateAvgBpm: Double?, heartRateMaxBpm: Double?,
    ascentM: Double?, elevationSource: ElevationSource?, title: String, device: String, positionCount: Int32,
    sampleCount: Int32, trace: [UInt8], south: Double?, north: Double?, west: Double?, east: Double?, outline: [UInt8],
    track: [UInt8]?, raw: String?, now: Instant) {
    self.sourceID = sourceID
    self.activityID = activityID
    self.userID = userID
    self.provider = provider
    self.externalID = externalID
    self.importID = importID
    self.digest = digest
    self.sport = sport
    self.startedAt = startedAt
    self.timeZone = timeZone
    self.durationS = durationS
    self.movingS = movingS
    self.distanceM = distanceM
    self.energyKcal = energyKcal
    self.heartRateAvgBpm = heartRateAvgBpm
    self.heartRateMaxBpm = heartRateMaxBpm
    self.ascentM = ascentM
    self.elevationSource = elevationSource
    self.title = title
    self.device = device
    self.positionCount = positionCount
    self.sampleCount = sampleCount
    self.trace = trace
    self.south = south
    self.north = north
    self.west = west
    self.east = east
    self.outline = outline
    self.track = track
    self.raw = raw
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(sourceID)
    p.append(activityID)
    p.append(userID)
    p.append(provider)
    p.append(externalID)
    p.append(importID)
    p.append(digest)
    p.append(sport)
    p.append(startedAt)
    p.append(timeZone)
    p.append(durationS)
    p.append(movingS)
    p.append(distanceM)
    p.append(energyKcal)
    p.append(heartRateAvgBpm)
    p.append(heartRateMaxBpm)
    p.append(ascentM)
    p.append(elevationSource)
    p.append(title)
    p.append(device)
    p.append(positionCount)
    p.append(sampleCount)
    p.append(trace)
    p.append(south)
    p.append(north)
    p.append(west)
    p.append(east)
    p.append(outline)
    p.append(track)
    p.append(raw)
    p.append(now)
  }
}

/// Keeps a report of a long file until all of it is read; of two by one id the later one.
package struct StageReport: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into staged_reports (
      import_id, provider, external_id, digest, sport, started_at, time_zone, duration_s, moving_s, distance_m, energy_kcal,
      heart_rate_avg_bpm, heart_rate_max_bpm, ascent_m, elevation_source, title, device, position_count, sample_count, trace,
      outline, track, raw, effort_distances_m, effort_durations_s, staged_at
    )
    values (
      $1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
      $11, $12, $13, $14, $15, $16, $17, $18,
      $19, $20, $21, $22, $23, $24, $25, $26
    )
    on conflict on constraint staged_reports_pkey do update set
      digest = excluded.digest, sport = excluded.sport, started_at = excluded.started_at, time_zone = excluded.time_zone,
      duration_s = excluded.duration_s, moving_s = excluded.moving_s, distance_m = excluded.distance_m,
      energy_kcal = excluded.energy_kcal, heart_rate_avg_bpm = excluded.heart_rate_avg_bpm,
      heart_rate_max_bpm = excluded.heart_rate_max_bpm, ascent_m = excluded.ascent_m,
      elevation_source = excluded.elevation_source, title = excluded.title, device = excluded.device,
      position_count = excluded.position_count, sample_count = excluded.sample_count, trace = excluded.trace,
      outline = excluded.outline, track = excluded.track, raw = excluded.raw, effort_distances_m = excluded.effort_distances_m,
      effort_durations_s = excluded.effort_durations_s, staged_at = excluded.staged_at
    """
  package let importID: ImportID
  package let provider: String
  package let externalID: String
  package let digest: [UInt8]
  package let sport: Sport
  package let startedAt: Instant
  package let timeZone: String
  package let durationS: Double
  package let movingS: Double?
  package let distanceM: Double?
  package let energyKcal: Double?
  package let heartRateAvgBpm: Double?
  package let heartRateMaxBpm: Double?
  package let ascentM: Double?
  package let elevationSource: ElevationSource?
  package let title: String
  package let device: String
  package let positionCount: Int32
  package let sampleCount: Int32
  package let trace: [UInt8]
  package let outline: [UInt8]
  package let track: [UInt8]?
  package let raw: String?
  package let effortDistancesM: [Double]
  package let effortDurationsS: [Double]
  package let now: Instant

  package init(
    importID: ImportID, provider: String, externalID: String, digest: [UInt8], sport: Sport, startedAt: Instant,
    timeZone: String, durationS: Double, movingS: Double?, distanceM: Double?, energyKcal: Double?,
    heartRateAvgBpm: Double?, heartRateMaxBpm: Double?, ascentM: Double?, elevationSource: ElevationSource?,
    title: String, device: String, positionCount: Int32, sampleCount: Int32, trace: [UInt8], outline: [UInt8],
    track: [UInt8]?, raw: String?, effortDistancesM: [Double], effortDurationsS: [Double], now: Instant) {
    self.importID = importID
    self.provider = provider
    self.externalID = externalID
    self.digest = digest
    self.sport = sport
    self.startedAt = startedAt
    self.timeZone = timeZone
    self.durationS = durationS
    self.movingS = movingS
    self.distanceM = distanceM
    self.energyKcal = energyKcal
    self.heartRateAvgBpm = heartRateAvgBpm
    self.heartRateMaxBpm = heartRateMaxBpm
    self.ascentM = ascentM
    self.elevationSource = elevationSource
    self.title = title
    self.device = device
    self.positionCount = positionCount
    self.sampleCount = sampleCount
    self.trace = trace
    self.outline = outline
    self.track = track
    self.raw = raw
    self.effortDistancesM = effortDistancesM
    self.effortDurationsS = effortDurationsS
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(importID)
    p.append(provider)
    p.append(externalID)
    p.append(digest)
    p.append(sport)
    p.append(startedAt)
    p.append(timeZone)
    p.append(durationS)
    p.append(movingS)
    p.append(distanceM)
    p.append(energyKcal)
    p.append(heartRateAvgBpm)
    p.append(heartRateMaxBpm)
    p.append(ascentM)
    p.append(elevationSource)
    p.append(title)
    p.append(device)
    p.append(positionCount)
    p.append(sampleCount)
    p.append(trace)
    p.append(outline)
    p.append(track)
    p.append(raw)
    p.append(effortDistancesM)
    p.append(effortDurationsS)
    p.append(now)
  }
}

/// Some staged reports of an import in the order of their starts, after another one.
package struct StagedReports: Statement {
  package struct Row: Sendable {
    package let provider: String
    package let externalID: String
    package let digest: [UInt8]
    package let figure: FigureColumns
    package let device: String
    package let positionCount: Int32
    package let sampleCount: Int32
    package let trace: [UInt8]
    package let outline: [UInt8]
    package let track: [UInt8]?
    package let raw: String?
    package let effortDistancesM: [Double]
    package let effortDurationsS: [Double]
  }

  package static let sql = """
    select
      provider, external_id, digest, sport, started_at, time_zone, duration_s, moving_s, distance_m, energy_kcal, heart_rate_avg_bpm, heart_rate_max_bpm, ascent_m,
    elevation_source, title, device, position_count, sample_count, trace, outline, track, raw,
      effort_distances_m, effort_durations_s
    from staged_reports
    where
      import_id = $1
      and (started_at, provider, external_id) > ($2, $3::text, $4::text)
    order by started_at, provider, external_id
    limit $5
    """
  package let importID: ImportID
  /// The start of the last one before, and its provider and id, which are empty for the first.
  package let after: Instant
  package let afterProvider: String
  package let afterExternalID: String
  package let limit: Int64

  package init(importID: ImportID, after: Instant, afterProvider: String, afterExternalID: String, limit: Int64) {
    self.importID = importID
    self.after = after
    self.afterProvider = afterProvider
    self.afterExternalID = afterExternalID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(importID)
    p.append(after)
    p.append(afterProvider)
    p.append(afterExternalID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      provider: try row.next(), externalID: try row.next(), digest: try row.next(),
      figure: try FigureColumns.decode(row), device: try row.next(), positionCount: try row.next(),
      sampleCount: try row.next(), trace: try row.next(), outline: try row.next(), track: try row.next(),
      raw: try row.next(), effortDistancesM: try row.next(), effortDurationsS: try row.next())
  }
}

/// Removes some staged reports of imports whose processes died.
package struct DropOldStagedReports: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from staged_reports where (import_id, provider, external_id) in (
      select import_id, provider, external_id from staged_reports where staged_at <= $1 limit $2
      for update skip locked
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

/// Removes the best efforts of sources, before those of their new tracks are stored.
package struct DeleteEfforts: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from best_efforts where source_id = any($1::uuid[])
    """
  package let sourceIDs: [SourceID]

  package init(sourceIDs: [SourceID]) {
    self.sourceIDs = sourceIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(sourceIDs)
  }
}

/// Stores best efforts; the three arrays belong together.
package struct InsertEfforts: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into best_efforts (source_id, distance_m, duration_s)
    select effort.source_id, effort.distance_m, effort.duration_s
    from unnest($1::uuid[], $2::double precision[], $3::double precision[])
      as effort (source_id, distance_m, duration_s)
    """
  package let sourceIDs: [SourceID]
  package let distancesM: [Double]
  package let durationsS: [Double]

  package init(sourceIDs: [SourceID], distancesM: [Double], durationsS: [Double]) {
    self.sourceIDs = sourceIDs
    self.distancesM = distancesM
    self.durationsS = durationsS
  }

  package func bind(_ p: inout Parameters) {
    p.append(sourceIDs)
    p.append(distancesM)
    p.append(durationsS)
  }
}

/// The sources of activities without their samples, the most exact of each activity first: those with positions that cover most of the
/// time that any of them does, then those with most positions.
package struct SourcesOfActivities: Statement {
  package struct Row: Sendable {
    package let id: SourceID
    package let activityID: ActivityID
    package let provider: String
    package let externalID: String
    package let positionCount: Int32
    package let sampleCount: Int32
    package let device: String
    package let figure: FigureColumns
  }

  package static let sql = """
    select
      id, activity_id, provider, external_id, position_count, sample_count, device, sport, started_at, time_zone, duration_s, moving_s, distance_m, energy_kcal, heart_rate_avg_bpm, heart_rate_max_bpm, ascent_m,
    elevation_source, title
    from activity_sources
    where activity_id = any($1::uuid[])
    order by
      activity_id, position_count > 0 desc,
      duration_s >= 0.8 * max(duration_s) over (partition by activity_id, position_count > 0) desc,
      position_count desc, sample_count desc, duration_s desc, id
    """
  package let activityIDs: [ActivityID]

  package init(activityIDs: [ActivityID]) {
    self.activityIDs = activityIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(activityIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), activityID: try row.next(), provider: try row.next(), externalID: try row.next(),
      positionCount: try row.next(), sampleCount: try row.next(), device: try row.next(),
      figure: try FigureColumns.decode(row))
  }
}

/// Stores the steps of days; the arrays belong together.
package struct PutSteps: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into daily_steps (user_id, day, provider, steps, raw, stored_at)
    select $1, counted.day, $2, counted.steps, nullif(counted.raw, ''), $3
    from unnest($4::date[], $5::bigint[], $6::text[]) as counted (day, steps, raw)
    on conflict on constraint daily_steps_pkey do update set
      steps = excluded.steps, raw = coalesce(excluded.raw, daily_steps.raw), stored_at = excluded.stored_at
    where
      daily_steps.steps < excluded.steps or ($7::boolean and daily_steps.steps > excluded.steps)
      or (daily_steps.steps = excluded.steps and daily_steps.raw is distinct from coalesce(excluded.raw, daily_steps.raw))
    """
  package let userID: UserID
  package let provider: String
  package let now: Instant
  package let days: [CivilDate]
  package let steps: [Int64]
  /// What else is said of the days, as JSON; empty for nothing.
  package let raws: [String]
  /// Whether fewer steps than are stored replace these.
  package let lowers: Bool

  package init(
    userID: UserID, provider: String, now: Instant, days: [CivilDate], steps: [Int64], raws: [String], lowers: Bool) {
    self.userID = userID
    self.provider = provider
    self.now = now
    self.days = days
    self.steps = steps
    self.raws = raws
    self.lowers = lowers
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
    p.append(now)
    p.append(days)
    p.append(steps)
    p.append(raws)
    p.append(lowers)
  }
}

/// Stores a sleep, or what changed in it.
package struct PutSleep: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into sleeps (user_id, provider, external_id, started_at, ended_at, time_zone, asleep_s, raw, stored_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict on constraint sleeps_pkey do update set
      started_at = excluded.started_at, ended_at = excluded.ended_at, time_zone = excluded.time_zone,
      asleep_s = excluded.asleep_s, raw = excluded.raw, stored_at = excluded.stored_at
    """
  package let userID: UserID
  package let provider: String
  package let externalID: String
  package let startedAt: Instant
  package let endedAt: Instant
  package let timeZone: String
  package let asleepS: Double
  package let raw: String?
  package let now: Instant

  package init(
    userID: UserID, provider: String, externalID: String, startedAt: Instant, endedAt: Instant, timeZone: String,
    asleepS: Double, raw: String?, now: Instant) {
    self.userID = userID
    self.provider = provider
    self.externalID = externalID
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.timeZone = timeZone
    self.asleepS = asleepS
    self.raw = raw
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
    p.append(externalID)
    p.append(startedAt)
    p.append(endedAt)
    p.append(timeZone)
    p.append(asleepS)
    p.append(raw)
    p.append(now)
  }
}

/// A user's sleeps by a provider that ended in a time.
package struct SleepsAround: Statement {
  package struct Row: Sendable {
    package let externalID: String
    package let startedAt: Instant
    package let endedAt: Instant
    package let asleepS: Double
    package let counted: Bool
  }

  package static let sql = """
    select external_id, started_at, ended_at, asleep_s, counted from sleeps
    where user_id = $1 and provider = $2 and ended_at between $3 and $4
    """
  package let userID: UserID
  package let provider: String
  package let earliest: Instant
  package let latest: Instant

  package init(userID: UserID, provider: String, earliest: Instant, latest: Instant) {
    self.userID = userID
    self.provider = provider
    self.earliest = earliest
    self.latest = latest
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
    p.append(earliest)
    p.append(latest)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      externalID: try row.next(), startedAt: try row.next(), endedAt: try row.next(), asleepS: try row.next(),
      counted: try row.next())
  }
}

/// Has sleeps count that did not, or the other way round.
package struct ChangeCounted: Statement {
  package typealias Row = Void
  package static let sql = """
    update sleeps set counted = not counted
    where user_id = $1 and provider = $2 and external_id = any($3::text[])
    """
  package let userID: UserID
  package let provider: String
  package let externalIDs: [String]

  package init(userID: UserID, provider: String, externalIDs: [String]) {
    self.userID = userID
    self.provider = provider
    self.externalIDs = externalIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
    p.append(externalIDs)
  }
}

/// Stores weighings; the arrays belong together.
package struct PutWeights: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into weights (user_id, measured_at, provider, weight_kg, raw, stored_at)
    select $1, measured.moment, $2, measured.weight_kg, nullif(measured.raw, ''), $3
    from
      unnest($4::timestamptz[], $5::double precision[], $6::text[]) as measured (moment, weight_kg, raw)
    on conflict on constraint weights_pkey do update set
      weight_kg = excluded.weight_kg, raw = coalesce(excluded.raw, weights.raw), stored_at = excluded.stored_at
    where
      weights.weight_kg <> excluded.weight_kg or weights.raw is distinct from coalesce(excluded.raw, weights.raw)
    """
  package let userID: UserID
  package let provider: String
  package let now: Instant
  package let moments: [Instant]
  package let weightsKg: [Double]
  /// What else is said of them, as JSON; empty for nothing.
  package let raws: [String]

  package init(
    userID: UserID, provider: String, now: Instant, moments: [Instant], weightsKg: [Double], raws: [String]) {
    self.userID = userID
    self.provider = provider
    self.now = now
    self.moments = moments
    self.weightsKg = weightsKg
    self.raws = raws
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
    p.append(now)
    p.append(moments)
    p.append(weightsKg)
    p.append(raws)
  }
}

/// Stores what a provider says of the body beside weighings, each with the nearest one within a time; the arrays belong together.
package struct PutCompositions: Statement {
  package typealias Row = Void
  package static let sql = """
    update weights set composition = measured.raw, stored_at = $1
    from unnest($2::timestamptz[], $3::text[]) as measured (moment, raw)
    where
      weights.user_id = $4 and weights.provider = $5 and weights.composition is distinct from measured.raw
      and weights.measured_at = (
        select near.measured_at from weights as near
        where
          near.user_id = $4 and near.provider = $5
          and near.measured_at between measured.moment - make_interval(secs => $6::float8)
          and measured.moment + make_interval(secs => $6::float8)
        order by abs(extract(epoch from near.measured_at - measured.moment)) limit 1
      )
    """
  package let now: Instant
  package let moments: [Instant]
  package let raws: [String]
  package let userID: UserID
  package let provider: String
  /// In seconds.
  package let reach: Double

  package init(now: Instant, moments: [Instant], raws: [String], userID: UserID, provider: String, reach: Double) {
    self.now = now
    self.moments = moments
    self.raws = raws
    self.userID = userID
    self.provider = provider
    self.reach = reach
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(moments)
    p.append(raws)
    p.append(userID)
    p.append(provider)
    p.append(reach)
  }
}

/// Makes a source one of another activity.
package struct MoveSource: Statement {
  package typealias Row = Void
  package static let sql = """
    update activity_sources set activity_id = $1 where id = $2
    """
  package let activityID: ActivityID
  package let sourceID: SourceID

  package init(activityID: ActivityID, sourceID: SourceID) {
    self.activityID = activityID
    self.sourceID = sourceID
  }

  package func bind(_ p: inout Parameters) {
    p.append(activityID)
    p.append(sourceID)
  }
}

/// Records that the user took an activity out of another one.
package struct MarkSplitOff: Statement {
  package typealias Row = Void
  package static let sql = """
    update activities set split_off = true where id = $1
    """
  package let activityID: ActivityID

  package init(activityID: ActivityID) {
    self.activityID = activityID
  }

  package func bind(_ p: inout Parameters) {
    p.append(activityID)
  }
}

/// Makes the sources of activities, which are parts of others, sources of these; the two arrays belong together.
package struct MoveSources: Statement {
  package typealias Row = Void
  package static let sql = """
    update activity_sources as source set activity_id = joined.whole
    from unnest($1::uuid[], $2::uuid[]) as joined (part, whole)
    where source.activity_id = joined.part
    """
  package let parts: [UUID7]
  package let wholes: [UUID7]

  package init(parts: [UUID7], wholes: [UUID7]) {
    self.parts = parts
    self.wholes = wholes
  }

  package func bind(_ p: inout Parameters) {
    p.append(parts)
    p.append(wholes)
  }
}

/// Deletes an activity of a user with its sources; no row if there is none.
package struct DeleteActivity: SingleRowStatement {
  package typealias Row = ActivityID
  package static let sql = """
    delete from activities where id = $1 and user_id = $2 returning id
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

/// Deletes some of what a provider, or with `nil` all, reported of a user, the earliest first: at most a number of bytes of tracks, but one
/// report at least; a row for each, with its activity. Those that providers would report again, also once
/// they are connected anew, are recorded where that is asked for.
package struct DeleteSomeSources: Statement {
  package typealias Row = ActivityID
  package static let sql = """
    with chosen as materialized (
      select counted.id
      from (
        select early.id, sum(early.bytes) over (order by early.started_at, early.id) - early.bytes as before
        from (
          select
            id, started_at,
            octet_length(trace) + octet_length(outline) + coalesce(octet_length(track), 0) + coalesce(octet_length(raw), 0)
              as bytes
          from activity_sources
          where user_id = $1 and ($2::text is null or provider = $2)
          order by started_at, id
          limit $3
        ) as early
      ) as counted
      where counted.before < $4::bigint
    ), gone as (
      delete from activity_sources using chosen where activity_sources.id = chosen.id
      returning activity_sources.activity_id, activity_sources.provider, activity_sources.external_id
    ), remembered as (
      insert into deleted_activities (user_id, provider, external_id, deleted_at)
      select $1, gone.provider, gone.external_id, $5::timestamptz from gone
      where
        $5::timestamptz is not null
        and gone.provider <> 'file'
      on conflict on constraint deleted_activities_pkey do nothing
    )
    select activity_id as activity_id from gone
    """
  package let userID: UserID
  package let provider: String?
  package let limit: Int64
  /// The report that reaches it is the last one.
  package let bytes: Int64
  /// When the user deleted them; `nil` where they are not recorded.
  package let rememberedAt: Instant?

  package init(userID: UserID, provider: String?, limit: Int64, bytes: Int64, rememberedAt: Instant?) {
    self.userID = userID
    self.provider = provider
    self.limit = limit
    self.bytes = bytes
    self.rememberedAt = rememberedAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
    p.append(limit)
    p.append(bytes)
    p.append(rememberedAt)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Deletes one report of a user's provider; no row if there is none.
package struct DeleteReportedSource: SingleRowStatement {
  package typealias Row = ActivityID
  package static let sql = """
    delete from activity_sources
    where user_id = $1 and provider = $2 and external_id = $3
    returning activity_id
    """
  package let userID: UserID
  package let provider: String
  package let externalID: String

  package init(userID: UserID, provider: String, externalID: String) {
    self.userID = userID
    self.provider = provider
    self.externalID = externalID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
    p.append(externalID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Deletes those of the activities that have no source any more.
package struct DeleteActivitiesWithoutSource: Statement {
  package typealias Row = ActivityID
  package static let sql = """
    delete from activities
    where id = any($1::uuid[]) and not exists (select from activity_sources where activity_id = activities.id)
    returning id
    """
  package let activityIDs: [ActivityID]

  package init(activityIDs: [ActivityID]) {
    self.activityIDs = activityIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(activityIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Deletes some of the steps of a user by one provider, or by all.
package struct DeleteSomeSteps: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from daily_steps where (user_id, day, provider) in (
      select user_id, day, provider from daily_steps
      where user_id = $1 and ($2::text is null or provider = $2)
      limit $3
    ) returning true as deleted
    """
  package let userID: UserID
  package let provider: String?
  package let limit: Int64

  package init(userID: UserID, provider: String?, limit: Int64) {
    self.userID = userID
    self.provider = provider
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Deletes some of the sleep of a user by one provider, or by all.
package struct DeleteSomeSleeps: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from sleeps where (user_id, provider, external_id) in (
      select user_id, provider, external_id from sleeps
      where user_id = $1 and ($2::text is null or provider = $2)
      limit $3
    ) returning true as deleted
    """
  package let userID: UserID
  package let provider: String?
  package let limit: Int64

  package init(userID: UserID, provider: String?, limit: Int64) {
    self.userID = userID
    self.provider = provider
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Deletes some of the weighings of a user by one provider, or by all.
package struct DeleteSomeWeights: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from weights where (user_id, measured_at, provider) in (
      select user_id, measured_at, provider from weights
      where user_id = $1 and ($2::text is null or provider = $2)
      limit $3
    ) returning true as deleted
    """
  package let userID: UserID
  package let provider: String?
  package let limit: Int64

  package init(userID: UserID, provider: String?, limit: Int64) {
    self.userID = userID
    self.provider = provider
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Has what is stored of a user be removed in parts ([C-9]); no user sees it from then on.
package struct BeginErasure: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into erasures (user_id) values ($1) on conflict on constraint erasures_pkey do nothing
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Locks a user of whom something may be left, by chance, so that none waits for ever behind one whose removal fails.
package struct DueErasure: SingleRowStatement {
  package typealias Row = UserID
  package static let sql = """
    select user_id from erasures order by random() limit 1 for update skip locked
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes some activities of a user whose reports are removed.
package struct EraseSomeActivities: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from activities where id in (select id from activities where user_id = $1 limit $2)
    returning true as deleted
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

/// Forgets some of what a user has deleted.
package struct EraseSomeDeletedActivities: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from deleted_activities where (user_id, provider, external_id) in (
      select user_id, provider, external_id from deleted_activities where user_id = $1 limit $2
    ) returning true as deleted
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

/// Nothing is left of a user.
package struct EndErasure: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from erasures where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Deletes the records of a user's file imports ([C-9]).
package struct DeleteFileImportsOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from file_imports where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}
