// Made from shares.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// A journey of a user that has not ended, locked until the transaction ends, so that its links are counted one after the other.
package struct OpenJourneyOf: SingleRowStatement {
  package typealias Row = JourneyID
  package static let sql = """
    select id as journey_id from journeys
    where id = $1 and user_id = $2 and kind = 'JOURNEY' and ended_at is null and user_id <> all(array(select user_id from erasures))
    for no key update
    """
  package let journeyID: JourneyID
  package let userID: UserID

  package init(journeyID: JourneyID, userID: UserID) {
    self.journeyID = journeyID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(journeyID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Stores a link, unless the journey, which is locked, has the most that are allowed.
package struct CreateShare: SingleRowStatement {
  package typealias Row = ShareID
  package static let sql = """
    insert into journey_shares (id, journey_id, token_hash, created_at, expires_at)
    select $1, $2, $3, $4, $5
    where (select count(*) from journey_shares where journey_id = $2 and expires_at > $4) < $6
    returning id
    """
  package let shareID: ShareID
  package let journeyID: JourneyID
  package let tokenHash: [UInt8]
  package let now: Instant
  package let expiresAt: Instant
  package let limit: Int64

  package init(
    shareID: ShareID, journeyID: JourneyID, tokenHash: [UInt8], now: Instant, expiresAt: Instant, limit: Int64) {
    self.shareID = shareID
    self.journeyID = journeyID
    self.tokenHash = tokenHash
    self.now = now
    self.expiresAt = expiresAt
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(shareID)
    p.append(journeyID)
    p.append(tokenHash)
    p.append(now)
    p.append(expiresAt)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The links to a user's journey that have not expired, the newest first.
package struct SharesOfJourney: Statement {
  package struct Row: Sendable {
    package let shareID: ShareID
    package let journeyID: JourneyID
    package let createdAt: Instant
    package let expiresAt: Instant
  }

  package static let sql = """
    select journey_shares.id as share_id, journey_shares.journey_id, journey_shares.created_at, journey_shares.expires_at
    from journey_shares inner join journeys on journeys.id = journey_shares.journey_id
    where journey_shares.journey_id = $1 and journeys.user_id = $2 and journey_shares.expires_at > $3
      and journeys.user_id <> all(array(select user_id from erasures))
    order by journey_shares.id desc
    """
  package let journeyID: JourneyID
  package let userID: UserID
  package let now: Instant

  package init(journeyID: JourneyID, userID: UserID, now: Instant) {
    self.journeyID = journeyID
    self.userID = userID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(journeyID)
    p.append(userID)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(shareID: try row.next(), journeyID: try row.next(), createdAt: try row.next(), expiresAt: try row.next())
  }
}

/// Removes a link to a journey of the user.
package struct RevokeShare: SingleRowStatement {
  package typealias Row = ShareID
  package static let sql = """
    delete from journey_shares using journeys
    where journeys.id = journey_shares.journey_id and journeys.user_id = $1 and journey_shares.id = $2
      and journey_shares.expires_at > $3
    returning journey_shares.id
    """
  package let userID: UserID
  package let shareID: ShareID
  package let now: Instant

  package init(userID: UserID, shareID: ShareID, now: Instant) {
    self.userID = userID
    self.shareID = shareID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(shareID)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The journey of a link that has not expired, with the position of its user while the journey lasts ([TR-14]): one from the journey, not
/// where the user was before, which a phone may report late, nor one that was not reported to all groups that see the journey.
package struct SharedJourney: SingleRowStatement {
  package struct Row: Sendable {
    package let startedAt: Instant
    package let endedAt: Instant?
    package let outcome: JourneyOutcome?
    package let latitude: Double?
    package let longitude: Double?
    package let arrivalAt: Instant?
    package let mode: TravelMode?
    package let expiresAt: Instant
    package let username: String
    package let atLatitude: Double?
    package let atLongitude: Double?
    package let accuracyM: Double?
    package let altitudeM: Double?
    package let speedMps: Double?
    package let course: Double?
    package let recordedAt: Instant?
    package let estimatedAt: Instant?
  }

  package static let sql = """
    select
      journeys.started_at, journeys.ended_at, journeys.outcome, journeys.latitude, journeys.longitude, journeys.arrival_at,
      journeys.mode, journey_shares.expires_at, coalesce(users.username, '') as username,
      trackers.latitude as at_latitude, trackers.longitude as at_longitude, trackers.accuracy_m, trackers.altitude_m,
      trackers.speed_mps, trackers.course, trackers.recorded_at, trackers.estimated_at
    from journey_shares
    inner join journeys on journeys.id = journey_shares.journey_id
    left join users on users.id = journeys.user_id
    left join trackers
      on trackers.user_id = journeys.user_id and trackers.journey_id = journeys.id and journeys.ended_at is null
      and trackers.determined_at >= journeys.started_at
      and not exists (
        select from journey_groups as seen
        join memberships as own on own.group_id = seen.group_id and own.user_id = journeys.user_id
        where seen.journey_id = journeys.id and own.withheld_since is not null
      )
    where journey_shares.token_hash = $1 and journey_shares.expires_at > $2 and journeys.user_id <> all(array(select user_id from erasures))
    """
  package let tokenHash: [UInt8]
  package let now: Instant

  package init(tokenHash: [UInt8], now: Instant) {
    self.tokenHash = tokenHash
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(tokenHash)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      startedAt: try row.next(), endedAt: try row.next(), outcome: try row.next(), latitude: try row.next(),
      longitude: try row.next(), arrivalAt: try row.next(), mode: try row.next(), expiresAt: try row.next(),
      username: try row.next(), atLatitude: try row.next(), atLongitude: try row.next(), accuracyM: try row.next(),
      altitudeM: try row.next(), speedMps: try row.next(), course: try row.next(), recordedAt: try row.next(),
      estimatedAt: try row.next())
  }
}

/// Removes links that have expired.
package struct DeleteExpiredShares: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from journey_shares
    where id in (select id from journey_shares where expires_at <= $1 limit $2)
    returning 1 as removed
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
