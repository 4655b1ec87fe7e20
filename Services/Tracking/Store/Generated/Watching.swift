// Made from watching.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// What changed in some groups, in each after a number and in order.
package struct ChangesOfGroups: Statement {
  package struct Row: Sendable {
    package let groupID: GroupID
    package let sequence: Int64
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
    package let username: String?
  }

  package static let sql = """
    select
      change.group_id, change.sequence, change.user_id, change.kind, change.state, change.warnings, change.latitude,
      change.longitude, change.accuracy_m, change.altitude_m, change.speed_mps, change.course, change.recorded_at,
      change.journey_id, change.promised_at, change.estimated_at, change.place_name,
      case when change.kind = 'JOINED' then users.username end as username
    from unnest($1::uuid[], $2::bigint[]) as watched (group_id, after)
    cross join lateral (
      select * from group_changes
      where group_changes.group_id = watched.group_id and group_changes.sequence > watched.after
      order by group_changes.sequence
      limit $3
    ) as change
    left join users on users.id = change.user_id
    order by change.group_id, change.sequence
    """
  package let groupIDs: [GroupID]
  /// For each group the number of the last change that is known.
  package let afters: [Int64]
  /// Of each group.
  package let limit: Int64

  package init(groupIDs: [GroupID], afters: [Int64], limit: Int64) {
    self.groupIDs = groupIDs
    self.afters = afters
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupIDs)
    p.append(afters)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      groupID: try row.next(), sequence: try row.next(), userID: try row.next(), kind: try row.next(),
      state: try row.next(), warnings: try row.next(), latitude: try row.next(), longitude: try row.next(),
      accuracyM: try row.next(), altitudeM: try row.next(), speedMps: try row.next(), course: try row.next(),
      recordedAt: try row.next(), journeyID: try row.next(), promisedAt: try row.next(), estimatedAt: try row.next(),
      placeName: try row.next(), username: try row.next())
  }
}

/// The number of the last change of each of some groups; a group that does not exist has no row.
package struct GroupSequences: Statement {
  package struct Row: Sendable {
    package let groupID: GroupID
    package let sequence: Int64
  }

  package static let sql = """
    select id as group_id, sequence from groups where id = any($1::uuid[])
    """
  package let groupIDs: [GroupID]

  package init(groupIDs: [GroupID]) {
    self.groupIDs = groupIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(groupID: try row.next(), sequence: try row.next())
  }
}

/// Those of some groups that a user is a member of ([TR-12]), to continue behind a number in each: with the number of the last change.
package struct WatchStarts: Statement {
  package struct Row: Sendable {
    package let groupID: GroupID
    package let sequence: Int64
    package let epoch: Int64
    /// Whether the user became or ceased to be a member since then.
    package let wasAway: Bool
    /// Whether a block of the user's began or ended since then ([C-10]): what happened under it has to stay hidden. One with a
    /// member who left may have ended without a word to the group, so a departure counts too.
    package let seesOtherwise: Bool
  }

  package static let sql = """
    select
      memberships.group_id, groups.sequence, (select event_log.transaction_offset + 1 from event_log) as epoch,
      exists (
        select from group_changes
        where
          group_changes.group_id = memberships.group_id and group_changes.sequence > watched.after
          and group_changes.user_id = memberships.user_id and group_changes.kind in ('JOINED', 'LEFT')
      ) as was_away,
      exists (
        select from group_changes
        where
          group_changes.group_id = memberships.group_id and group_changes.sequence > watched.after
          and (
            group_changes.kind = 'LEFT'
            or (
              group_changes.kind = 'VISIBILITY'
              and group_changes.user_id in (memberships.user_id, '00000000-0000-0000-0000-000000000000')
            )
          )
      ) as sees_otherwise
    from unnest($1::uuid[], $2::bigint[]) as watched (group_id, after)
    inner join memberships on memberships.group_id = watched.group_id and memberships.user_id = $3
    inner join groups on groups.id = memberships.group_id
    """
  package let groupIDs: [GroupID]
  package let afters: [Int64]
  package let userID: UserID

  package init(groupIDs: [GroupID], afters: [Int64], userID: UserID) {
    self.groupIDs = groupIDs
    self.afters = afters
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(groupIDs)
    p.append(afters)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      groupID: try row.next(), sequence: try row.next(), epoch: try row.next(), wasAway: try row.next(),
      seesOtherwise: try row.next())
  }
}

/// The users whom a user does not see, because one of the two has blocked the other ([C-10]).
package struct HiddenUsers: Statement {
  package typealias Row = UserID
  package static let sql = """
    select blocked_id as user_id from blocks where blocker_id = $1
    union
    select blocker_id from blocks where blocked_id = $1
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

/// Locks some users until the transaction ends, in the order of their ids: none of them becomes a member of a group meanwhile.
package struct LockUsers: Statement {
  package typealias Row = UserID
  package static let sql = """
    select id as user_id from users where id = any($1::uuid[]) order by id for no key update
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

/// The groups that two users each are both members of: the first of the one array and the first of the other, and so on.
package struct SharedGroups: Statement {
  package struct Row: Sendable {
    package let groupID: GroupID
    package let one: UserID
    package let other: UserID
  }

  package static let sql = """
    select memberships.group_id, pair.one as one, pair.other as other
    from unnest($1::uuid[], $2::uuid[]) as pair (one, other)
    inner join memberships on memberships.user_id = pair.one
    inner join memberships as others on others.user_id = pair.other and others.group_id = memberships.group_id
    """
  package let ones: [UserID]
  package let others: [UserID]

  package init(ones: [UserID], others: [UserID]) {
    self.ones = ones
    self.others = others
  }

  package func bind(_ p: inout Parameters) {
    p.append(ones)
    p.append(others)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(groupID: try row.next(), one: try row.next(), other: try row.next())
  }
}

/// All groups.
package struct GroupIDs: Statement {
  package typealias Row = GroupID
  package static let pace = Pace.slow
  package static let sql = """
    select id as group_id from groups order by id
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The members of some groups as a user sees them who is a member too: of the other groups there are no rows ([TR-12]); nor of users
/// whom the user does not see ([C-10]). One statement, so that the number is that of the last change that is included ([TR-4]).
/// Of members who share with the group it has the current position, or the last one that was reported to the group; of others the last one,
/// if they stopped since the user joined.
package struct MembersSeen: Statement {
  package struct Row: Sendable {
    package let groupID: GroupID
    package let sequence: Int64
    package let epoch: Int64
    package let userID: UserID
    package let username: String
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
    package let journeyKind: JourneyKind?
    package let promisedAt: Instant?
    package let estimatedAt: Instant?
  }

  package static let sql = """
    select
      memberships.group_id, groups.sequence, (select event_log.transaction_offset + 1 from event_log) as epoch, memberships.user_id,
      coalesce(users.username, '') as username,
      memberships.state, memberships.warnings,
      case when seen.is_current then trackers.latitude when seen.is_kept then memberships.last_latitude end as latitude,
      case when seen.is_current then trackers.longitude when seen.is_kept then memberships.last_longitude end as longitude,
      case when seen.is_current then trackers.accuracy_m when seen.is_kept then memberships.last_accuracy_m end as accuracy_m,
      case when seen.is_current then trackers.altitude_m when seen.is_kept then memberships.last_altitude_m end as altitude_m,
      case when seen.is_current then trackers.speed_mps when seen.is_kept then memberships.last_speed_mps end as speed_mps,
      case when seen.is_current then trackers.course when seen.is_kept then memberships.last_course end as course,
      case when seen.is_current then trackers.recorded_at when seen.is_kept then memberships.last_recorded_at end as recorded_at,
      journeys.id as journey_id, journeys.kind as journey_kind, journeys.arrival_at as promised_at,
      case when journeys.id is not null and memberships.withheld_since is null then trackers.estimated_at end as estimated_at
    from memberships as own
    inner join groups on groups.id = own.group_id
    inner join memberships on memberships.group_id = own.group_id
    left join users on users.id = memberships.user_id
    left join trackers on trackers.user_id = memberships.user_id
    left join journey_groups
      on journey_groups.journey_id = trackers.journey_id and journey_groups.group_id = memberships.group_id
    left join journeys on journeys.id = journey_groups.journey_id
    cross join lateral (
      select
        memberships.withheld_since is null and coalesce(
          case when memberships.state = 'SOS' then trackers.received_at else trackers.determined_at end
          >= memberships.shared_since, false
        ) as is_current,
        memberships.last_kept_at >= case
          when memberships.withheld_since is null then own.joined_at else least(own.joined_at, memberships.shared_since)
        end as is_kept
    ) as seen
    where
      own.user_id = $1 and own.group_id = any($2::uuid[])
      and memberships.user_id <> all(array(
      select blocked_id from blocks where blocker_id = $1
      union all
      select blocker_id from blocks where blocked_id = $1
    ))
    order by memberships.group_id, memberships.user_id
    """
  package let viewerID: UserID
  package let groupIDs: [GroupID]

  package init(viewerID: UserID, groupIDs: [GroupID]) {
    self.viewerID = viewerID
    self.groupIDs = groupIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(viewerID)
    p.append(groupIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      groupID: try row.next(), sequence: try row.next(), epoch: try row.next(), userID: try row.next(),
      username: try row.next(), state: try row.next(), warnings: try row.next(), latitude: try row.next(),
      longitude: try row.next(), accuracyM: try row.next(), altitudeM: try row.next(), speedMps: try row.next(),
      course: try row.next(), recordedAt: try row.next(), journeyID: try row.next(), journeyKind: try row.next(),
      promisedAt: try row.next(), estimatedAt: try row.next())
  }
}
