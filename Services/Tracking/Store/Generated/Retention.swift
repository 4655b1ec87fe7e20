// Made from retention.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// After how many days a user's positions are deleted ([TR-13]); no row for a user who never shared one.
package struct RetentionOf: SingleRowStatement {
  package typealias Row = Int32
  package static let sql = """
    select retention_days from trackers where user_id = $1
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

/// Changes after how many days a user's positions are deleted; the row is locked.
package struct SetRetention: Statement {
  package typealias Row = Void
  package static let sql = """
    update trackers set retention_days = $1 where user_id = $2
    """
  package let days: Int32
  package let userID: UserID

  package init(days: Int32, userID: UserID) {
    self.days = days
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(days)
    p.append(userID)
  }
}

/// Some users on journeys that nobody ended: the promised time and the last report are from before the user's retention time. They are locked
/// until the transaction ends, in the order of their ids; those that another process has locked are left out.
package struct ForgottenTravellers: Statement {
  package typealias Row = UserID
  package static let pace = Pace.slow
  package static let sql = """
    select tracker.user_id
    from trackers as tracker join journeys as journey on journey.id = tracker.journey_id
    where journey.kind = 'JOURNEY'
      and journey.arrival_at < $1::timestamptz - tracker.retention_days * interval '1 day'
      and tracker.heard_at < $1::timestamptz - tracker.retention_days * interval '1 day'
    order by tracker.user_id
    limit $2
    for no key update of tracker skip locked
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

/// Whether `ForgottenTravellers` left any out.
package struct HasForgottenTravellers: SingleRowStatement {
  package typealias Row = Bool
  package static let pace = Pace.slow
  package static let sql = """
    select exists (
      select 1 from trackers as tracker join journeys as journey on journey.id = tracker.journey_id
      where journey.kind = 'JOURNEY'
        and journey.arrival_at < $1::timestamptz - tracker.retention_days * interval '1 day'
        and tracker.heard_at < $1::timestamptz - tracker.retention_days * interval '1 day'
    ) as value
    """
  package let now: Instant

  package init(now: Instant) {
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Some users of whom positions may be stored, in the order of their ids.
package struct TrackedUsers: Statement {
  package typealias Row = UserID
  package static let sql = """
    select user_id from trackers where user_id > $1 order by user_id limit $2
    """
  package let after: UUID7
  package let limit: Int64

  package init(after: UUID7, limit: Int64) {
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Deletes some points of the paths of some users after their retention times.
package struct DeleteOldPathPoints: Statement {
  package typealias Row = Bool
  package static let pace = Pace.slow
  package static let sql = """
    with old as (
      select point.user_id, point.recorded_at
      from trackers join path_points as point
        on point.user_id = trackers.user_id
        and point.recorded_at < $1::timestamptz - trackers.retention_days * interval '1 day'
        and point.recorded_at < $1::timestamptz - interval '2 days'
      where trackers.user_id = any($2::uuid[])
      limit $3
    )
    delete from path_points using old
    where path_points.user_id = old.user_id and path_points.recorded_at = old.recorded_at
    returning true as deleted
    """
  package let now: Instant
  package let userIDs: [UserID]
  package let limit: Int64

  package init(now: Instant, userIDs: [UserID], limit: Int64) {
    self.now = now
    self.userIDs = userIDs
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userIDs)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Deletes some journeys and alerts of some users that ended before their retention times; their paths are gone then.
package struct DeleteOldJourneys: Statement {
  package typealias Row = Bool
  package static let pace = Pace.slow
  package static let sql = """
    with old as (
      select journey.id from journeys as journey join trackers on trackers.user_id = journey.user_id
      where trackers.user_id = any($1::uuid[]) and journey.ended_at < $2::timestamptz - trackers.retention_days * interval '1 day'
      limit $3
    )
    delete from journeys using old where journeys.id = old.id returning true as deleted
    """
  package let userIDs: [UserID]
  package let now: Instant
  package let limit: Int64

  package init(userIDs: [UserID], now: Instant, limit: Int64) {
    self.userIDs = userIDs
    self.now = now
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
    p.append(now)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Deletes the current positions of some users after their retention times, and what was derived of them.
package struct ForgetOldPositions: Statement {
  package typealias Row = Bool
  package static let pace = Pace.slow
  package static let sql = """
    with old as (
      select user_id from trackers
      where user_id = any($1::uuid[]) and recorded_at < $2::timestamptz - retention_days * interval '1 day'
      order by user_id limit $3 for no key update skip locked
    ), forgotten as (
      update places set presence = 'UNKNOWN', leaving_since = null
      from old where places.user_id = old.user_id and places.presence <> 'UNKNOWN'
    ), forgotten_by_groups as (
      update place_groups set presence = null, leaving_since = null
      from old inner join places on places.user_id = old.user_id
      where place_groups.place_id = places.id and place_groups.presence is not null
    )
    update trackers
    set latitude = null, longitude = null, accuracy_m = null, altitude_m = null, speed_mps = null, course = null,
      recorded_at = null, received_at = null, determined_at = null, suspect = '', progress = '', estimated_at = null,
      trail = '', is_standing = false, recent_reports = '', phone_clock = '',
      path_days = ''
    from old where trackers.user_id = old.user_id
    returning true as deleted
    """
  package let userIDs: [UserID]
  package let now: Instant
  package let limit: Int64

  package init(userIDs: [UserID], now: Instant, limit: Int64) {
    self.userIDs = userIDs
    self.now = now
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
    p.append(now)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Deletes some last known positions of some users after their retention times.
package struct ForgetOldLastPositions: Statement {
  package typealias Row = Bool
  package static let pace = Pace.slow
  package static let sql = """
    with old as (
      select membership.group_id, membership.user_id
      from memberships as membership join trackers on trackers.user_id = membership.user_id
      where trackers.user_id = any($1::uuid[]) and membership.last_recorded_at < $2::timestamptz - trackers.retention_days * interval '1 day'
      limit $3
    )
    update memberships
    set last_latitude = null, last_longitude = null, last_accuracy_m = null, last_altitude_m = null, last_speed_mps = null,
      last_course = null, last_recorded_at = null, last_kept_at = null
    from old where memberships.group_id = old.group_id and memberships.user_id = old.user_id
    returning true as deleted
    """
  package let userIDs: [UserID]
  package let now: Instant
  package let limit: Int64

  package init(userIDs: [UserID], now: Instant, limit: Int64) {
    self.userIDs = userIDs
    self.now = now
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
    p.append(now)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Drops the partitions of days that ended before a moment.
package struct DropPartitions: SingleRowStatement {
  package typealias Row = Int32
  package static let pace = Pace.slow
  package static let sql = """
    select drop_partitions($1, $2::timestamptz, false) as dropped
    """
  package let parent: String
  package let before: Instant

  package init(parent: String, before: Instant) {
    self.parent = parent
    self.before = before
  }

  package func bind(_ p: inout Parameters) {
    p.append(parent)
    p.append(before)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Drops the empty partitions of days that ended before a moment.
package struct DropEmptyPartitions: SingleRowStatement {
  package typealias Row = Int32
  package static let pace = Pace.slow
  package static let sql = """
    select drop_partitions($1, $2::timestamptz, true) as dropped
    """
  package let parent: String
  package let before: Instant

  package init(parent: String, before: Instant) {
    self.parent = parent
    self.before = before
  }

  package func bind(_ p: inout Parameters) {
    p.append(parent)
    p.append(before)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
