// Made from views.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// A journey or an alert: `journey`.
package struct StoredJourney: Sendable, Equatable, RowDecodable {
  package let id: JourneyID
  package let userID: UserID
  package let kind: JourneyKind
  package let startedAt: Instant
  package let endedAt: Instant?
  package let outcome: JourneyOutcome?
  package let latitude: Double?
  package let longitude: Double?
  package let arrivalAt: Instant?
  package let mode: TravelMode?
  package let alertedCount: Int32

  package init(
    id: JourneyID, userID: UserID, kind: JourneyKind, startedAt: Instant, endedAt: Instant?, outcome: JourneyOutcome?,
    latitude: Double?, longitude: Double?, arrivalAt: Instant?, mode: TravelMode?, alertedCount: Int32) {
    self.id = id
    self.userID = userID
    self.kind = kind
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.outcome = outcome
    self.latitude = latitude
    self.longitude = longitude
    self.arrivalAt = arrivalAt
    self.mode = mode
    self.alertedCount = alertedCount
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredJourney {
    StoredJourney(
      id: try row.next(), userID: try row.next(), kind: try row.next(), startedAt: try row.next(),
      endedAt: try row.next(), outcome: try row.next(), latitude: try row.next(), longitude: try row.next(),
      arrivalAt: try row.next(), mode: try row.next(), alertedCount: try row.next())
  }
}

/// A journey or alert, and those of its groups that a user sees it in: for its own user all, for others those of which both are members
/// ([TR-11]). No row for others, and where one has blocked the other ([C-10]).
package struct JourneySeenBy: SingleRowStatement {
  package struct Row: Sendable {
    package let journey: StoredJourney
    /// Of a user whose positions are reported to one of these groups.
    package let estimatedAt: Instant?
    /// In the order of their ids.
    package let groupIDs: [GroupID]
  }

  package static let sql = """
    select journey.id, journey.user_id, journey.kind, journey.started_at, journey.ended_at, journey.outcome, journey.latitude,
    journey.longitude, journey.arrival_at, journey.mode, journey.alerted_count,
      case
        when journey.user_id = $1 or exists (
          select from journey_groups as seen
          join memberships as viewer on viewer.group_id = seen.group_id and viewer.user_id = $1
          join memberships as owner on owner.group_id = seen.group_id and owner.user_id = journey.user_id
          where seen.journey_id = journey.id and owner.withheld_since is null
        ) then tracker.estimated_at
      end as estimated_at,
      array(
        select seen.group_id from journey_groups as seen
        where seen.journey_id = journey.id
          and (
            journey.user_id = $1
            or exists (
              select from memberships as viewer where viewer.group_id = seen.group_id and viewer.user_id = $1
            )
          )
        order by seen.group_id
      ) as group_ids
    from journeys as journey
    left join trackers as tracker on tracker.user_id = journey.user_id and tracker.journey_id = journey.id
    where journey.id = $2 and (
      journey.user_id = $1
      or (
        exists (
          select from journey_groups as seen
          join memberships as viewer on viewer.group_id = seen.group_id
          join memberships as owner on owner.group_id = seen.group_id
          where seen.journey_id = journey.id and viewer.user_id = $1 and owner.user_id = journey.user_id
        )
        and journey.user_id <> all(array(
      select blocked_id from blocks where blocker_id = $1
      union all
      select blocker_id from blocks where blocked_id = $1
    ))
      )
    )
    and journey.user_id <> all(array(select user_id from erasures))
    """
  package let viewerID: UserID
  package let journeyID: JourneyID

  package init(viewerID: UserID, journeyID: JourneyID) {
    self.viewerID = viewerID
    self.journeyID = journeyID
  }

  package func bind(_ p: inout Parameters) {
    p.append(viewerID)
    p.append(journeyID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(journey: try StoredJourney.decode(row), estimatedAt: try row.next(), groupIDs: try row.next())
  }
}

/// The path of a journey or alert that a user sees at that moment ([TR-12]), in order; of another no rows. A member who joined later sees what comes
/// from then on; and of positions that were reported to some groups only who is in one of these.
package struct PathOf: Statement {
  package struct Row: Sendable {
    package let recordedAt: Instant
    package let latitude: Double
    package let longitude: Double
    package let accuracyM: Double?
    package let altitudeM: Double?
    package let speedMps: Double?
    package let course: Double?
  }

  package static let pace = Pace.slow
  package static let sql = """
    select recorded_at, latitude, longitude, accuracy_m, altitude_m, speed_mps, course from path_points
    where user_id = $1 and recorded_at > $2 and recorded_at >= $3 and recorded_at <= $4
      and exists (
        select from journeys as journey where journey.id = $5 and (
      journey.user_id = $6
      or (
        exists (
          select from journey_groups as seen
          join memberships as viewer on viewer.group_id = seen.group_id
          join memberships as owner on owner.group_id = seen.group_id
          where seen.journey_id = journey.id and viewer.user_id = $6 and owner.user_id = journey.user_id
        )
        and journey.user_id <> all(array(
      select blocked_id from blocks where blocker_id = $6
      union all
      select blocker_id from blocks where blocked_id = $6
    ))
      )
    )
    and journey.user_id <> all(array(select user_id from erasures))
      )
      and (
        $6 = $1
        or recorded_at >= (
          select min(viewer.joined_at)
          from journey_groups as seen
          join memberships as viewer on viewer.group_id = seen.group_id and viewer.user_id = $6
          where seen.journey_id = $5
        )
      )
      and (
        $6 = $1 or group_ids is null or exists (
          select from journey_groups as seen
          join memberships as viewer on viewer.group_id = seen.group_id and viewer.user_id = $6
          join memberships as owner on owner.group_id = seen.group_id and owner.user_id = $1
          where seen.journey_id = $5 and seen.group_id = any(path_points.group_ids)
            and viewer.joined_at <= path_points.recorded_at
        )
      )
    order by recorded_at
    limit $7
    """
  package let userID: UserID
  /// The time of the last point of the previous page.
  package let after: Instant
  package let startedAt: Instant
  package let endedAt: Instant
  package let journeyID: JourneyID
  package let viewerID: UserID
  package let limit: Int64

  package init(
    userID: UserID, after: Instant, startedAt: Instant, endedAt: Instant, journeyID: JourneyID, viewerID: UserID,
    limit: Int64) {
    self.userID = userID
    self.after = after
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.journeyID = journeyID
    self.viewerID = viewerID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(after)
    p.append(startedAt)
    p.append(endedAt)
    p.append(journeyID)
    p.append(viewerID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      recordedAt: try row.next(), latitude: try row.next(), longitude: try row.next(), accuracyM: try row.next(),
      altitudeM: try row.next(), speedMps: try row.next(), course: try row.next())
  }
}
