// Made from trackers.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// Creates the rows of users of whom `users` has a row; deleted accounts get none ([C-9]). The shared lock on the rows of `users` keeps
/// account deletions from being stored until the transaction ends.
package struct EnterTrackers: Statement {
  package typealias Row = Void
  package static let sql = """
    with present as (
      select id from users where id = any($1::uuid[]) and not deleted order by id for share
    )
    insert into trackers (user_id) select id from present
    on conflict on constraint trackers_pkey do nothing
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }
}

/// Positions of some users, locked until the transaction ends, in the order of the users' ids.
///
/// Other tables are read by statements after it: what a locking statement joins may be older than the rows that it waited for.
package struct LockTrackers: Statement {
  package struct Row: Sendable {
    package let userID: UserID
    package let latitude: Double?
    package let longitude: Double?
    package let accuracyM: Double?
    package let altitudeM: Double?
    package let speedMps: Double?
    package let course: Double?
    package let recordedAt: Instant?
    package let receivedAt: Instant?
    package let heardAt: Instant?
    package let isSilent: Bool
    package let isStanding: Bool
    package let trail: [UInt8]
    package let suspect: [UInt8]
    package let checkAt: Instant?
    package let progress: [UInt8]
    package let estimatedAt: Instant?
    package let placeCount: Int32
    package let recentReports: [UInt8]
    package let phoneClock: [UInt8]
    package let pathDays: [UInt8]
    package let determinedAt: Instant?
    package let journeyID: JourneyID?
  }

  package static let sql = """
    select
      tracker.user_id, tracker.latitude, tracker.longitude, tracker.accuracy_m, tracker.altitude_m, tracker.speed_mps,
      tracker.course, tracker.recorded_at, tracker.received_at, tracker.heard_at, tracker.is_silent, tracker.is_standing,
      tracker.trail, tracker.suspect, tracker.check_at, tracker.progress, tracker.estimated_at, tracker.place_count,
      tracker.recent_reports, tracker.phone_clock, tracker.path_days, tracker.determined_at, tracker.journey_id
    from trackers as tracker
    where tracker.user_id = any($1::uuid[])
    order by tracker.user_id for no key update of tracker
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      userID: try row.next(), latitude: try row.next(), longitude: try row.next(), accuracyM: try row.next(),
      altitudeM: try row.next(), speedMps: try row.next(), course: try row.next(), recordedAt: try row.next(),
      receivedAt: try row.next(), heardAt: try row.next(), isSilent: try row.next(), isStanding: try row.next(),
      trail: try row.next(), suspect: try row.next(), checkAt: try row.next(), progress: try row.next(),
      estimatedAt: try row.next(), placeCount: try row.next(), recentReports: try row.next(),
      phoneClock: try row.next(), pathDays: try row.next(), determinedAt: try row.next(), journeyID: try row.next())
  }
}

/// What is stored of a user in places and on paths; no row for a user who never shared a position, or named a place.
package struct StorageOfTracker: SingleRowStatement {
  package struct Row: Sendable {
    package let placeCount: Int32
    package let pathDays: [UInt8]
    package let retentionDays: Int32
  }

  package static let sql = """
    select place_count, path_days, retention_days from trackers where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(placeCount: try row.next(), pathDays: try row.next(), retentionDays: try row.next())
  }
}

/// How many positions of a user are on paths, up to a limit.
package struct CountPathPoints: SingleRowStatement {
  package typealias Row = Int64
  package static let pace = Pace.slow
  package static let sql = """
    select count(*) as count from (select from path_points where user_id = $1 limit $2) as kept
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

/// The journeys and alerts in progress of some users whose rows are locked.
package struct OpenJourneysOf: Statement {
  package struct Row: Sendable {
    package let id: JourneyID
    package let userID: UserID
    package let startedAt: Instant
    /// Of the destination; `nil` for an alert.
    package let latitude: Double?
    package let longitude: Double?
    package let arrivalAt: Instant?
  }

  package static let sql = """
    select id, user_id, started_at, latitude, longitude, arrival_at from journeys
    where user_id = any($1::uuid[]) and ended_at is null
    order by user_id
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), userID: try row.next(), startedAt: try row.next(), latitude: try row.next(),
      longitude: try row.next(), arrivalAt: try row.next())
  }
}

/// What all groups see of some users.
package struct StatusesOf: Statement {
  package struct Row: Sendable {
    package let userID: UserID
    package let groupID: GroupID
    package let state: MemberState
    package let warnings: Warnings
    package let sharedSince: Instant?
    package let withheldSince: Instant?
  }

  package static let sql = """
    select user_id, group_id, state, warnings, shared_since, withheld_since from memberships
    where user_id = any($1::uuid[])
    order by user_id, group_id
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      userID: try row.next(), groupID: try row.next(), state: try row.next(), warnings: try row.next(),
      sharedSince: try row.next(), withheldSince: try row.next())
  }
}

/// Stores positions of users whose rows are locked. What is absent is 0 for a time or an id, and not a number else.
package struct PutTrackers: Statement {
  package typealias Row = Void
  package static let sql = """
    update trackers
    set latitude = nullif(changed.latitude, 'NaN'), longitude = nullif(changed.longitude, 'NaN'),
      accuracy_m = nullif(changed.accuracy_m, 'NaN'), altitude_m = nullif(changed.altitude_m, 'NaN'),
      speed_mps = nullif(changed.speed_mps, 'NaN'), course = nullif(changed.course, 'NaN'),
      recorded_at = nullif(changed.recorded_at, 'epoch'), received_at = nullif(changed.received_at, 'epoch'),
      heard_at = nullif(changed.heard_at, 'epoch'), is_silent = changed.is_silent, is_standing = changed.is_standing,
      trail = changed.trail, suspect = changed.suspect, progress = changed.progress,
      estimated_at = nullif(changed.estimated_at, 'epoch'), recent_reports = changed.recent_reports,
      journey_id = nullif(changed.journey_id, '00000000-0000-0000-0000-000000000000'),
      check_at = nullif(changed.check_at, 'epoch'), phone_clock = changed.phone_clock,
      path_days = changed.path_days, determined_at = nullif(changed.determined_at, 'epoch')
    from unnest(
      $1::uuid[], $2::float8[], $3::float8[], $4::float8[], $5::float8[],
      $6::float8[], $7::float8[], $8::timestamptz[], $9::timestamptz[],
      $10::timestamptz[], $11::boolean[], $12::boolean[], $13::bytea[], $14::bytea[],
      $15::uuid[], $16::timestamptz[], $17::bytea[], $18::timestamptz[],
      $19::bytea[], $20::bytea[], $21::timestamptz[], $22::bytea[]
    ) as changed (
      user_id, latitude, longitude, accuracy_m, altitude_m, speed_mps, course, recorded_at, received_at, heard_at,
      is_silent, is_standing, trail, suspect, journey_id, check_at, progress, estimated_at, recent_reports,
      phone_clock, determined_at, path_days
    )
    where trackers.user_id = changed.user_id
    """
  package let userIDs: [UserID]
  package let latitudes: [Double]
  package let longitudes: [Double]
  package let accuracies: [Double]
  package let altitudes: [Double]
  package let speeds: [Double]
  package let courses: [Double]
  package let recordedAts: [Instant]
  package let receivedAts: [Instant]
  package let heardAts: [Instant]
  package let silent: [Bool]
  package let standing: [Bool]
  package let trails: [[UInt8]]
  package let suspects: [[UInt8]]
  package let journeyIDs: [JourneyID]
  package let checkAts: [Instant]
  package let progresses: [[UInt8]]
  package let estimatedAts: [Instant]
  package let recentReports: [[UInt8]]
  package let phoneClocks: [[UInt8]]
  package let determinedAts: [Instant]
  package let pathDays: [[UInt8]]

  package init(
    userIDs: [UserID], latitudes: [Double], longitudes: [Double], accuracies: [Double], altitudes: [Double],
    speeds: [Double], courses: [Double], recordedAts: [Instant], receivedAts: [Instant], heardAts: [Instant],
    silent: [Bool], standing: [Bool], trails: [[UInt8]], suspects: [[UInt8]], journeyIDs: [JourneyID],
    checkAts: [Instant], progresses: [[UInt8]], estimatedAts: [Instant], recentReports: [[UInt8]],
    phoneClocks: [[UInt8]], determinedAts: [Instant], pathDays: [[UInt8]]) {
    self.userIDs = userIDs
    self.latitudes = latitudes
    self.longitudes = longitudes
    self.accuracies = accuracies
    self.altitudes = altitudes
    self.speeds = speeds
    self.courses = courses
    self.recordedAts = recordedAts
    self.receivedAts = receivedAts
    self.heardAts = heardAts
    self.silent = silent
    self.standing = standing
    self.trails = trails
    self.suspects = suspects
    self.journeyIDs = journeyIDs
    self.checkAts = checkAts
    self.progresses = progresses
    self.estimatedAts = estimatedAts
    self.recentReports = recentReports
    self.phoneClocks = phoneClocks
    self.determinedAts = determinedAts
    self.pathDays = pathDays
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
    p.append(latitudes)
    p.append(longitudes)
    p.append(accuracies)
    p.append(altitudes)
    p.append(speeds)
    p.append(courses)
    p.append(recordedAts)
    p.append(receivedAts)
    p.append(heardAts)
    p.append(silent)
    p.append(standing)
    p.append(trails)
    p.append(suspects)
    p.append(journeyIDs)
    p.append(checkAts)
    p.append(progresses)
    p.append(estimatedAts)
    p.append(recentReports)
    p.append(phoneClocks)
    p.append(determinedAts)
    p.append(pathDays)
  }
}

/// Stores what groups see of users whose rows of `trackers` are locked; a time of 0 is no sharing, or nothing withheld. Memberships that
/// ended are skipped.
package struct PutStatuses: Statement {
  package typealias Row = Void
  package static let sql = """
    update memberships
    set
      state = changed.state, warnings = changed.warnings, shared_since = nullif(changed.shared_since, 'epoch'),
      withheld_since = nullif(changed.withheld_since, 'epoch')
    from unnest(
      $1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::timestamptz[],
      $6::timestamptz[]
    ) as changed (user_id, group_id, state, warnings, shared_since, withheld_since)
    where memberships.user_id = changed.user_id and memberships.group_id = changed.group_id
    """
  package let userIDs: [UserID]
  package let groupIDs: [GroupID]
  package let states: [MemberState]
  package let warnings: [Warnings]
  package let sharedSinces: [Instant]
  package let withheldSinces: [Instant]

  package init(
    userIDs: [UserID], groupIDs: [GroupID], states: [MemberState], warnings: [Warnings], sharedSinces: [Instant],
    withheldSinces: [Instant]) {
    self.userIDs = userIDs
    self.groupIDs = groupIDs
    self.states = states
    self.warnings = warnings
    self.sharedSinces = sharedSinces
    self.withheldSinces = withheldSinces
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
    p.append(groupIDs)
    p.append(states)
    p.append(warnings)
    p.append(sharedSinces)
    p.append(withheldSinces)
  }
}

/// Keeps the positions that groups see of users, whose next ones were not reported to them ([TR-2]); what is absent is not a number.
package struct KeepShownPositions: Statement {
  package typealias Row = Void
  package static let sql = """
    update memberships
    set last_latitude = kept.latitude, last_longitude = kept.longitude, last_accuracy_m = nullif(kept.accuracy_m, 'NaN'),
      last_altitude_m = nullif(kept.altitude_m, 'NaN'), last_speed_mps = nullif(kept.speed_mps, 'NaN'),
      last_course = nullif(kept.course, 'NaN'), last_recorded_at = kept.recorded_at, last_kept_at = $1
    from unnest(
      $2::uuid[], $3::uuid[], $4::timestamptz[], $5::float8[], $6::float8[],
      $7::float8[], $8::float8[], $9::float8[], $10::float8[]
    ) as kept (user_id, group_id, recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course)
    where memberships.user_id = kept.user_id and memberships.group_id = kept.group_id
    """
  package let now: Instant
  package let userIDs: [UserID]
  package let groupIDs: [GroupID]
  package let recordedAts: [Instant]
  package let latitudes: [Double]
  package let longitudes: [Double]
  package let accuracies: [Double]
  package let altitudes: [Double]
  package let speeds: [Double]
  package let courses: [Double]

  package init(
    now: Instant, userIDs: [UserID], groupIDs: [GroupID], recordedAts: [Instant], latitudes: [Double],
    longitudes: [Double], accuracies: [Double], altitudes: [Double], speeds: [Double], courses: [Double]) {
    self.now = now
    self.userIDs = userIDs
    self.groupIDs = groupIDs
    self.recordedAts = recordedAts
    self.latitudes = latitudes
    self.longitudes = longitudes
    self.accuracies = accuracies
    self.altitudes = altitudes
    self.speeds = speeds
    self.courses = courses
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userIDs)
    p.append(groupIDs)
    p.append(recordedAts)
    p.append(latitudes)
    p.append(longitudes)
    p.append(accuracies)
    p.append(altitudes)
    p.append(speeds)
    p.append(courses)
  }
}

/// Keeps the position that groups see of a user before the user stops sharing with them ([TR-1]); of groups from which it is withheld the one
/// before it is kept already.
package struct KeepLastPositions: Statement {
  package typealias Row = Void
  package static let sql = """
    update memberships
    set last_latitude = tracker.latitude, last_longitude = tracker.longitude, last_accuracy_m = tracker.accuracy_m,
      last_altitude_m = tracker.altitude_m, last_speed_mps = tracker.speed_mps, last_course = tracker.course,
      last_recorded_at = tracker.recorded_at, last_kept_at = $1
    from trackers as tracker
    where memberships.user_id = $2 and memberships.group_id = any($3::uuid[])
      and tracker.user_id = memberships.user_id and tracker.determined_at >= memberships.shared_since
      and memberships.withheld_since is null
    """
  package let now: Instant
  package let userID: UserID
  package let groupIDs: [GroupID]

  package init(now: Instant, userID: UserID, groupIDs: [GroupID]) {
    self.now = now
    self.userID = userID
    self.groupIDs = groupIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userID)
    p.append(groupIDs)
  }
}

/// Hides the journey that a user is on from some groups, with which the user stops sharing.
package struct HideJourney: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from journey_groups using trackers
    where trackers.user_id = $1 and journey_groups.journey_id = trackers.journey_id
      and journey_groups.group_id = any($2::uuid[])
    """
  package let userID: UserID
  package let groupIDs: [GroupID]

  package init(userID: UserID, groupIDs: [GroupID]) {
    self.userID = userID
    self.groupIDs = groupIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(groupIDs)
  }
}

/// Adds positions to paths; those whose times are stored already are dropped.
package struct InsertPathPoints: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into path_points (user_id, recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course)
    select
      user_id, recorded_at, latitude, longitude, nullif(accuracy_m, 'NaN'), nullif(altitude_m, 'NaN'),
      nullif(speed_mps, 'NaN'), nullif(course, 'NaN')
    from unnest(
      $1::uuid[], $2::timestamptz[], $3::float8[], $4::float8[], $5::float8[],
      $6::float8[], $7::float8[], $8::float8[]
    ) as point (user_id, recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course)
    order by user_id, recorded_at
    on conflict do nothing
    """
  package let userIDs: [UserID]
  package let recordedAts: [Instant]
  package let latitudes: [Double]
  package let longitudes: [Double]
  package let accuracies: [Double]
  package let altitudes: [Double]
  package let speeds: [Double]
  package let courses: [Double]

  package init(
    userIDs: [UserID], recordedAts: [Instant], latitudes: [Double], longitudes: [Double], accuracies: [Double],
    altitudes: [Double], speeds: [Double], courses: [Double]) {
    self.userIDs = userIDs
    self.recordedAts = recordedAts
    self.latitudes = latitudes
    self.longitudes = longitudes
    self.accuracies = accuracies
    self.altitudes = altitudes
    self.speeds = speeds
    self.courses = courses
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
    p.append(recordedAts)
    p.append(latitudes)
    p.append(longitudes)
    p.append(accuracies)
    p.append(altitudes)
    p.append(speeds)
    p.append(courses)
  }
}

/// Adds positions to paths, each time of a user once, with the groups that they were reported to.
package struct InsertPathPointsOfGroups: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into path_points as stored (
      user_id, recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course, group_ids
    )
    select
      user_id, recorded_at, latitude, longitude, nullif(accuracy_m, 'NaN'), nullif(altitude_m, 'NaN'),
      nullif(speed_mps, 'NaN'), nullif(course, 'NaN'), nullif(audience, '')::uuid[]
    from unnest(
      $1::uuid[], $2::timestamptz[], $3::float8[], $4::float8[], $5::float8[],
      $6::float8[], $7::float8[], $8::float8[], $9::text[]
    ) as point (user_id, recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course, audience)
    order by user_id, recorded_at
    on conflict on constraint path_points_pkey do update
    set group_ids = case
      when excluded.group_ids is not null
        then array(select unnest(stored.group_ids) union select unnest(excluded.group_ids))
    end
    where stored.group_ids is not null
      and stored.latitude = excluded.latitude and stored.longitude = excluded.longitude
    """
  package let userIDs: [UserID]
  package let recordedAts: [Instant]
  package let latitudes: [Double]
  package let longitudes: [Double]
  package let accuracies: [Double]
  package let altitudes: [Double]
  package let speeds: [Double]
  package let courses: [Double]
  /// As arrays of ids; empty for all groups.
  package let audiences: [String]

  package init(
    userIDs: [UserID], recordedAts: [Instant], latitudes: [Double], longitudes: [Double], accuracies: [Double],
    altitudes: [Double], speeds: [Double], courses: [Double], audiences: [String]) {
    self.userIDs = userIDs
    self.recordedAts = recordedAts
    self.latitudes = latitudes
    self.longitudes = longitudes
    self.accuracies = accuracies
    self.altitudes = altitudes
    self.speeds = speeds
    self.courses = courses
    self.audiences = audiences
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
    p.append(recordedAts)
    p.append(latitudes)
    p.append(longitudes)
    p.append(accuracies)
    p.append(altitudes)
    p.append(speeds)
    p.append(courses)
    p.append(audiences)
  }
}

/// Adds positions, each time of a user once, to the paths of journeys and alerts that were over when they arrived; drops those from outside of
/// any, and those whose times are stored already. Journeys follow each other: of those that ended later the first few decide, as an arrival may
/// have a time up to a minute ahead, in which others began.
package struct InsertLatePathPoints: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into path_points as stored (
      user_id, recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course, group_ids
    )
    select
      user_id, recorded_at, latitude, longitude, nullif(accuracy_m, 'NaN'), nullif(altitude_m, 'NaN'),
      nullif(speed_mps, 'NaN'), nullif(course, 'NaN'), nullif(audience, '')::uuid[]
    from unnest(
      $1::uuid[], $2::timestamptz[], $3::float8[], $4::float8[], $5::float8[],
      $6::float8[], $7::float8[], $8::float8[], $9::text[]
    ) as point (user_id, recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course, audience)
    where exists (
      select from (
        select started_at from journeys
        where journeys.user_id = point.user_id and journeys.ended_at >= point.recorded_at
        order by ended_at limit 8
      ) as next where next.started_at <= point.recorded_at
    )
    order by user_id, recorded_at
    on conflict on constraint path_points_pkey do update
    set group_ids = case
      when excluded.group_ids is not null
        then array(select unnest(stored.group_ids) union select unnest(excluded.group_ids))
    end
    where stored.group_ids is not null
      and stored.latitude = excluded.latitude and stored.longitude = excluded.longitude
    """
  package let userIDs: [UserID]
  package let recordedAts: [Instant]
  package let latitudes: [Double]
  package let longitudes: [Double]
  package let accuracies: [Double]
  package let altitudes: [Double]
  package let speeds: [Double]
  package let courses: [Double]
  /// As arrays of ids; empty for all groups.
  package let audiences: [String]

  package init(
    userIDs: [UserID], recordedAts: [Instant], latitudes: [Double], longitudes: [Double], accuracies: [Double],
    altitudes: [Double], speeds: [Double], courses: [Double], audiences: [String]) {
    self.userIDs = userIDs
    self.recordedAts = recordedAts
    self.latitudes = latitudes
    self.longitudes = longitudes
    self.accuracies = accuracies
    self.altitudes = altitudes
    self.speeds = speeds
    self.courses = courses
    self.audiences = audiences
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
    p.append(recordedAts)
    p.append(latitudes)
    p.append(longitudes)
    p.append(accuracies)
    p.append(altitudes)
    p.append(speeds)
    p.append(courses)
    p.append(audiences)
  }
}

/// Stores a journey or an alert with the groups that see it.
package struct InsertJourney: Statement {
  package typealias Row = Void
  package static let sql = """
    with made as (
      insert into journeys (id, user_id, kind, started_at, latitude, longitude, arrival_at, mode)
      values (
        $1, $2, $3, $4, $5, $6, $7::timestamptz, $8
      )
      returning id
    )
    insert into journey_groups (journey_id, group_id)
    select made.id, named.id from made, unnest($9::uuid[]) as named (id)
    """
  package let journeyID: JourneyID
  package let userID: UserID
  package let journeyKind: JourneyKind
  package let startedAt: Instant
  package let latitude: Double?
  package let longitude: Double?
  package let arrivalAt: Instant?
  package let mode: TravelMode?
  package let groupIDs: [GroupID]

  package init(
    journeyID: JourneyID, userID: UserID, journeyKind: JourneyKind, startedAt: Instant, latitude: Double?,
    longitude: Double?, arrivalAt: Instant?, mode: TravelMode?, groupIDs: [GroupID]) {
    self.journeyID = journeyID
    self.userID = userID
    self.journeyKind = journeyKind
    self.startedAt = startedAt
    self.latitude = latitude
    self.longitude = longitude
    self.arrivalAt = arrivalAt
    self.mode = mode
    self.groupIDs = groupIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(journeyID)
    p.append(userID)
    p.append(journeyKind)
    p.append(startedAt)
    p.append(latitude)
    p.append(longitude)
    p.append(arrivalAt)
    p.append(mode)
    p.append(groupIDs)
  }
}

/// Ends journeys and alerts.
package struct EndJourneys: Statement {
  package typealias Row = Void
  package static let sql = """
    update journeys set ended_at = ended.at, outcome = ended.outcome
    from unnest($1::uuid[], $2::timestamptz[], $3::text[]) as ended (id, at, outcome)
    where journeys.id = ended.id and journeys.ended_at is null
    """
  package let journeyIDs: [JourneyID]
  package let endedAts: [Instant]
  package let outcomes: [JourneyOutcome]

  package init(journeyIDs: [JourneyID], endedAts: [Instant], outcomes: [JourneyOutcome]) {
    self.journeyIDs = journeyIDs
    self.endedAts = endedAts
    self.outcomes = outcomes
  }

  package func bind(_ p: inout Parameters) {
    p.append(journeyIDs)
    p.append(endedAts)
    p.append(outcomes)
  }
}

/// Has further groups see a journey or an alert in progress, whose user's row of `trackers` is locked.
package struct AddJourneyGroups: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into journey_groups (journey_id, group_id)
    select $1, named.id from unnest($2::uuid[]) as named (id) order by named.id
    on conflict on constraint journey_groups_pkey do nothing
    """
  package let journeyID: JourneyID
  package let groupIDs: [GroupID]

  package init(journeyID: JourneyID, groupIDs: [GroupID]) {
    self.journeyID = journeyID
    self.groupIDs = groupIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(journeyID)
    p.append(groupIDs)
  }
}

/// Adds to the numbers of members who were notified of alerts, each of which is named once.
package struct CountAlerted: Statement {
  package typealias Row = Void
  package static let sql = """
    update journeys set alerted_count = journeys.alerted_count + told.count
    from unnest($1::uuid[], $2::integer[]) as told (id, count)
    where journeys.id = told.id
    """
  package let journeyIDs: [JourneyID]
  package let counts: [Int32]

  package init(journeyIDs: [JourneyID], counts: [Int32]) {
    self.journeyIDs = journeyIDs
    self.counts = counts
  }

  package func bind(_ p: inout Parameters) {
    p.append(journeyIDs)
    p.append(counts)
  }
}

/// Those of some users who are in SOS.
package struct OpenAlertsOf: Statement {
  package typealias Row = UserID
  package static let sql = """
    select user_id from journeys where user_id = any($1::uuid[]) and ended_at is null and kind = 'SOS' order by user_id
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Locks the positions of users of whom a membership is reported that is not stored, in the order of the users' ids: an alert begins
/// either before or after.
package struct LockTrackersOfNewMembers: Statement {
  package typealias Row = UserID
  package static let sql = """
    select tracker.user_id from trackers as tracker
    where tracker.user_id in (
      select reported.user_id
      from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as reported (group_id, user_id, membership_id)
      where not exists (
        select from memberships
        where memberships.group_id = reported.group_id and memberships.user_id = reported.user_id
          and memberships.membership_id = reported.membership_id
      )
    )
    order by tracker.user_id for no key update of tracker
    """
  package let groupIDs: [GroupID]
  package let userIDs: [UserID]
  package let membershipIDs: [MembershipID]

  package init(groupIDs: [GroupID], userIDs: [UserID], membershipIDs: [MembershipID]) {
    self.groupIDs = groupIDs
    self.userIDs = userIDs
    self.membershipIDs = membershipIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupIDs)
    p.append(userIDs)
    p.append(membershipIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Whom news reach: the members of the groups that are told, but the user, members of groups that are left out, and those of whom one has blocked the
/// other ([C-10]); each once, in the order of their ids. No row for news that reach no user.
package struct RecipientsOfNews: Statement {
  package struct Row: Sendable {
    /// Their numbers, each once for every group that is told.
    package let news: Int32
    package let recipientIDs: [UserID]
  }

  package static let sql = """
    with told as (
      select distinct item.news, member.user_id
      from unnest($1::integer[], $2::uuid[], $3::uuid[]) as item (news, user_id, group_id)
      inner join memberships as member on member.group_id = item.group_id
      where member.user_id <> item.user_id
        and not exists (select from blocks where blocker_id = item.user_id and blocked_id = member.user_id)
        and not exists (select from blocks where blocker_id = member.user_id and blocked_id = item.user_id)
    ), known as (
      select item.news, member.user_id
      from unnest($4::integer[], $5::uuid[]) as item (news, group_id)
      inner join memberships as member on member.group_id = item.group_id
    )
    select news as news, array_agg(user_id order by user_id) as recipient_ids
    from (select news, user_id from told except select news, user_id from known) as reached
    group by news order by news
    """
  /// Their numbers, each once for every group that is told.
  package let news: [Int32]
  package let userIDs: [UserID]
  package let groupIDs: [GroupID]
  /// Their numbers, each once for every group whose members are left out.
  package let otherNews: [Int32]
  package let otherGroupIDs: [UUID7]

  package init(news: [Int32], userIDs: [UserID], groupIDs: [GroupID], otherNews: [Int32], otherGroupIDs: [UUID7]) {
    self.news = news
    self.userIDs = userIDs
    self.groupIDs = groupIDs
    self.otherNews = otherNews
    self.otherGroupIDs = otherGroupIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(news)
    p.append(userIDs)
    p.append(groupIDs)
    p.append(otherNews)
    p.append(otherGroupIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(news: try row.next(), recipientIDs: try row.next())
  }
}

/// Some users of whom something may be due, locked until the transaction ends; those that another process has locked are skipped.
package struct DueTrackers: Statement {
  package typealias Row = UserID
  package static let sql = """
    select user_id from trackers where check_at <= $1 order by check_at limit $2 for no key update skip locked
    """
  package let now: Instant
  package let limit: Int64

  package init(now: Instant, limit: Int64) {
    self.now = now
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Records that positions can arrive, at a moment that is not after the database's present; returns since when they can. After a pause that is since
/// now, and so it is where a record is yet to come, by whatever clock: it hides when a replica served last.
package struct StayAwake: SingleRowStatement {
  package typealias Row = Instant
  package static let sql = """
    insert into uptime (serving_since, seen_at)
    select present.moment, present.moment from (select least($1::timestamptz, clock_timestamp()) as moment) as present
    on conflict on constraint uptime_pkey do update
    set serving_since = case
      when $2 and (uptime.seen_at < $3 or uptime.seen_at > clock_timestamp()) then excluded.seen_at
      else uptime.serving_since
    end, seen_at = case
      when uptime.seen_at > clock_timestamp() then excluded.seen_at else greatest(uptime.seen_at, excluded.seen_at)
    end
    returning serving_since
    """
  package let now: Instant
  /// Whether this process may not have served a moment ago.
  package let mayHavePaused: Bool
  /// A replica that said so since then served meanwhile.
  package let pausedBefore: Instant

  package init(now: Instant, mayHavePaused: Bool, pausedBefore: Instant) {
    self.now = now
    self.mayHavePaused = mayHavePaused
    self.pausedBefore = pausedBefore
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(mayHavePaused)
    p.append(pausedBefore)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
