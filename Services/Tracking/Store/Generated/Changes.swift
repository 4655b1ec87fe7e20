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

/// Takes the next numbers of groups that are locked; returns the last of each.
package struct NumberChanges: Statement {
  package struct Row: Sendable {
    package let groupID: GroupID
    package let sequence: Int64
  }

  package static let sql = """
    update groups set sequence = groups.sequence + counted.count
    from unnest($1::uuid[], $2::bigint[]) as counted (id, count)
    where groups.id = counted.id
    returning groups.id as group_id, groups.sequence
    """
  package let groupIDs: [GroupID]
  package let counts: [Int64]

  package init(groupIDs: [GroupID], counts: [Int64]) {
    self.groupIDs = groupIDs
    self.counts = counts
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupIDs)
    p.append(counts)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(groupID: try row.next(), sequence: try row.next())
  }
}

/// Stores changes with numbers that ``NumberChanges`` took. What is absent is 0 for a time or an id, and not a number else.
package struct InsertChanges: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into group_changes (
      group_id, sequence, changed_at, user_id, kind, state, warnings, latitude, longitude, accuracy_m, altitude_m,
      speed_mps, course, recorded_at, journey_id
    )
    select
      group_id, sequence, $1, user_id, kind, state, warnings, nullif(latitude, 'NaN'), nullif(longitude, 'NaN'),
      nullif(accuracy_m, 'NaN'), nullif(altitude_m, 'NaN'), nullif(speed_mps, 'NaN'), nullif(course, 'NaN'),
      nullif(recorded_at, 'epoch'), nullif(journey_id, '00000000-0000-0000-0000-000000000000')
    from unnest(
      $2::uuid[], $3::bigint[], $4::uuid[], $5::text[], $6::text[],
      $7::integer[], $8::float8[], $9::float8[], $10::float8[], $11::float8[],
      $12::float8[], $13::float8[], $14::timestamptz[], $15::uuid[]
    ) as change (
      group_id, sequence, user_id, kind, state, warnings, latitude, longitude, accuracy_m, altitude_m, speed_mps, course,
      recorded_at, journey_id
    )
    """
  package let now: Instant
  package let groupIDs: [GroupID]
  package let sequences: [Int64]
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

  package init(
    now: Instant, groupIDs: [GroupID], sequences: [Int64], userIDs: [UserID], kinds: [String], states: [MemberState],
    warnings: [Warnings], latitudes: [Double], longitudes: [Double], accuracies: [Double], altitudes: [Double],
    speeds: [Double], courses: [Double], recordedAts: [Instant], journeyIDs: [JourneyID]) {
    self.now = now
    self.groupIDs = groupIDs
    self.sequences = sequences
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
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(groupIDs)
    p.append(sequences)
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
  }

  package static let sql = """
    select
      sequence, changed_at, user_id, kind, state, warnings, latitude, longitude, accuracy_m, altitude_m, speed_mps, course,
      recorded_at, journey_id
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
      recordedAt: try row.next(), journeyID: try row.next())
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
