// Made from changes.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// Locks some groups until the transaction ends, in the order of their ids: before their next numbers are taken.
package struct LockGroups: Statement {
  package typealias Row = GroupID
  package static let sql = """
    select id from groups where id = any($1::uuid[]) order by id for no key update
    """
  package let groupIDs: [GroupID]

  package init(groupIDs: [GroupID]) {
    self.groupIDs = groupIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Stores changes of groups that are locked by an earlier statement with the groups' next numbers; returns the numbers, by the places of the
/// changes from 1. What a member's position, state or place changes is dropped if the membership ended before the lock, and so is what
/// changes in groups that are not known. What is absent is 0 for a time or an id, empty for a name, and not a number else.
package struct StoreChanges: Statement {
  package struct Row: Sendable {
    package let place: Int64
    package let sequence: Int64
  }

  package static let sql = """
    with change as (
      select
        change.group_id, change.user_id, change.kind, change.state, change.warnings, change.latitude, change.longitude,
        change.accuracy_m, change.altitude_m, change.speed_mps, change.course, change.recorded_at, change.journey_id,
        change.promised_at, change.estimated_at, change.place_name, change.place
      from unnest(
        $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::integer[],
        $6::float8[], $7::float8[], $8::float8[], $9::float8[], $10::float8[],
        $11::float8[], $12::timestamptz[], $13::uuid[],
        $14::timestamptz[], $15::timestamptz[], $16::text[]
      ) with ordinality as change (
        group_id, user_id, kind, state, warnings, latitude, longitude, accuracy_m, altitude_m, speed_mps, course,
        recorded_at, journey_id, promised_at, estimated_at, place_name, place
      )
      left join memberships on memberships.group_id = change.group_id and memberships.user_id = change.user_id
      where change.kind not in ('POSITION', 'STATE', 'PLACE_REACHED', 'PLACE_LEFT') or memberships.user_id is not null
    ), counted as (
      select group_id, count(*) as count from change group by group_id
    ), taken as (
      update groups set sequence = groups.sequence + counted.count
      from counted where groups.id = counted.group_id
      returning groups.id, groups.sequence - counted.count as last
    ), numbered as materialized (
      select change.*, taken.last + row_number() over (partition by change.group_id order by change.place) as sequence
      from change join taken on taken.id = change.group_id
    ), stored as (
      insert into group_changes (
        group_id, sequence, changed_at, user_id, kind, state, warnings, latitude, longitude, accuracy_m, altitude_m,
        speed_mps, course, recorded_at, journey_id, promised_at, estimated_at, place_name
      )
      select
        group_id, sequence, $17, user_id, kind, state, warnings, nullif(latitude, 'NaN'), nullif(longitude, 'NaN'),
        nullif(accuracy_m, 'NaN'), nullif(altitude_m, 'NaN'), nullif(speed_mps, 'NaN'), nullif(course, 'NaN'),
        nullif(recorded_at, 'epoch'), nullif(journey_id, '00000000-0000-0000-0000-000000000000'),
        nullif(promised_at, 'epoch'), nullif(estimated_at, 'epoch'), nullif(place_name, '')
      from numbered
    )
    select place as place, sequence as sequence from numbered order by place
    """
  package let groupIDs: [GroupID]
  package let userIDs: [UserID]
  package let kinds: [String]
  package let states: [MemberState]
  package let warnings: [Warnings]
  package let latitudes: [Double]
  package let longitudes: [Double]
  package let accuracies: [Double]
  package let altitudes: [Double]
  package let speeds: [Double]
  package let courses: [Double]
  package let recordedAts: [Instant]
  package let journeyIDs: [JourneyID]
  package let promisedAts: [Instant]
  package let estimatedAts: [Instant]
  package let placeNames: [String]
  package let now: Instant

  package init(
    groupIDs: [GroupID], userIDs: [UserID], kinds: [String], states: [MemberState], warnings: [Warnings],
    latitudes: [Double], longitudes: [Double], accuracies: [Double], altitudes: [Double], speeds: [Double],
    courses: [Double], recordedAts: [Instant], journeyIDs: [JourneyID], promisedAts: [Instant], estimatedAts: [Instant],
    placeNames: [String], now: Instant) {
    self.groupIDs = groupIDs
    self.userIDs = userIDs
    self.kinds = kinds
    self.states = states
    self.warnings = warnings
    self.latitudes = latitudes
    self.longitudes = longitudes
    self.accuracies = accuracies
    self.altitudes = altitudes
    self.speeds = speeds
    self.courses = courses
    self.recordedAts = recordedAts
    self.journeyIDs = journeyIDs
    self.promisedAts = promisedAts
    self.estimatedAts = estimatedAts
    self.placeNames = placeNames
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupIDs)
    p.append(userIDs)
    p.append(kinds)
    p.append(states)
    p.append(warnings)
    p.append(latitudes)
    p.append(longitudes)
    p.append(accuracies)
    p.append(altitudes)
    p.append(speeds)
    p.append(courses)
    p.append(recordedAts)
    p.append(journeyIDs)
    p.append(promisedAts)
    p.append(estimatedAts)
    p.append(placeNames)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(place: try row.next(), sequence: try row.next())
  }
}

/// What changed in a group after a number, in order.
package struct ChangesAfter: Statement {
  package struct Row: Sendable {
    package let sequence: Int64
    package let changedAt: Instant
    package let userID: UserID
    package let kind: ChangeKind
    package let state: MemberState
    package let warnings: Warnings
    package let latitude: Double?
    package let longitude: Double?
    package let accuracyM: Double?
    package let altitudeM: Double?
    package let speedMps: Double?
    package let course: Double?
    package let recordedAt: Instant?
    package let journeyID: JourneyID?
    package let promisedAt: Instant?
    package let estimatedAt: Instant?
    package let placeName: String?
  }

  package static let sql = """
    select
      sequence, changed_at, user_id, kind, state, warnings, latitude, longitude, accuracy_m, altitude_m, speed_mps, course,
      recorded_at, journey_id, promised_at, estimated_at, place_name
    from group_changes
    where group_id = $1 and sequence > $2
    order by sequence
    limit $3
    """
  package let groupID: GroupID
  /// The number of the last change that is known.
  package let after: Int64
  package let limit: Int64

  package init(groupID: GroupID, after: Int64, limit: Int64) {
    self.groupID = groupID
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupID)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      sequence: try row.next(), changedAt: try row.next(), userID: try row.next(), kind: try row.next(),
      state: try row.next(), warnings: try row.next(), latitude: try row.next(), longitude: try row.next(),
      accuracyM: try row.next(), altitudeM: try row.next(), speedMps: try row.next(), course: try row.next(),
      recordedAt: try row.next(), journeyID: try row.next(), promisedAt: try row.next(), estimatedAt: try row.next(),
      placeName: try row.next())
  }
}

/// Makes the partition of a day in UTC, unless it is there.
package struct MakePartition: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select true as is_there from make_partition($1, $2::date)
    """
  package let parent: String
  package let day: CivilDate

  package init(parent: String, day: CivilDate) {
    self.parent = parent
    self.day = day
  }

  package func bind(_ p: inout Parameters) {
    p.append(parent)
    p.append(day)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
