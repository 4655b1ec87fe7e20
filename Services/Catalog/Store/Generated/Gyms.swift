// Made from gyms.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// The columns of a row `gym`, joined by the fragment joined_usage.
package struct GymColumns: Sendable {
  package let id: GymID
  package let name: String
  package let latitude: Double
  package let longitude: Double
  package let street: String
  package let houseNumber: String
  package let postcode: String
  package let city: String
  package let country: String
  package let phone: String
  package let website: String
  package let timeZone: String?
  package let openingHours: String
  package let capacity: Int32?
  /// How many people the operator counted last.
  package let reportedPeople: Int32?
  /// When the operator counted them.
  package let reportedAt: Instant?
  /// How many people checked in recently and are expected to be there still.
  package let checkedIn: Int64
  /// When the last of them checked in.
  package let checkedInAt: Instant?

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> GymColumns {
    GymColumns(
      id: try row.next(), name: try row.next(), latitude: try row.next(), longitude: try row.next(),
      street: try row.next(), houseNumber: try row.next(), postcode: try row.next(), city: try row.next(),
      country: try row.next(), phone: try row.next(), website: try row.next(), timeZone: try row.next(),
      openingHours: try row.next(), capacity: try row.next(), reportedPeople: try row.next(),
      reportedAt: try row.next(), checkedIn: try row.next(), checkedInAt: try row.next())
  }
}

/// A gym, with its usage.
package struct GymByID: SingleRowStatement {
  package typealias Row = StoredGym
  package static let sql = """
    select gym.id as id, gym.name as name, gym.latitude as latitude, gym.longitude as longitude,
    gym.street as street, gym.house_number as house_number, gym.postcode as postcode, gym.city as city,
    gym.country as country, gym.phone as phone, gym.website as website, gym.time_zone,
    gym.opening_hours as opening_hours, coalesce(reported.capacity, gym.capacity) as capacity,
    reported.people as reported_people, reported.observed_at as reported_at, present.people as checked_in,
    present.latest as checked_in_at from gyms as gym left join gym_usage as reported on reported.gym_id = gym.id
    cross join lateral (
      select count(*) as people, max(presence.checked_in_at) as latest from gym_presences as presence
      where presence.gym_id = gym.id and presence.checked_in_at > $1::timestamptz
        and presence.checked_in_at <= $2::timestamptz and presence.leaves_at > $2::timestamptz
    ) as present where gym.id = $3
    """
  package let since: Instant
  package let now: Instant
  package let gymID: GymID

  package init(since: Instant, now: Instant, gymID: GymID) {
    self.since = since
    self.now = now
    self.gymID = gymID
  }

  package func bind(_ p: inout Parameters) {
    p.append(since)
    p.append(now)
    p.append(gymID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredGym(GymColumns.decode(row))
  }
}

/// Where a gym is, with its outline ([MA-8]).
package struct GymPlaceByID: SingleRowStatement {
  package struct Row: Sendable {
    package let id: GymID
    package let name: String
    package let latitude: Double
    package let longitude: Double
    package let timeZone: String?
    package let outline: [Double]?
    package let radiusM: Double?
  }

  package static let sql = """
    select id, name, latitude, longitude, time_zone, outline, radius_m from gyms where id = $1
    """
  package let gymID: GymID

  package init(gymID: GymID) {
    self.gymID = gymID
  }

  package func bind(_ p: inout Parameters) {
    p.append(gymID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), name: try row.next(), latitude: try row.next(), longitude: try row.next(),
      timeZone: try row.next(), outline: try row.next(), radiusM: try row.next())
  }
}

/// A page of the gyms around a point, the nearest first, then by id ([CA-1]).
package struct NearestGyms: Statement {
  package struct Row: Sendable {
    package let gym: StoredGym
    /// The distance of its vector from the point's.
    package let chord: Double
  }

  package static let pace = Pace.slow
  package static let sql = """
    select gym.id as id, gym.name as name, gym.latitude as latitude, gym.longitude as longitude,
    gym.street as street, gym.house_number as house_number, gym.postcode as postcode, gym.city as city,
    gym.country as country, gym.phone as phone, gym.website as website, gym.time_zone,
    gym.opening_hours as opening_hours, coalesce(reported.capacity, gym.capacity) as capacity,
    reported.people as reported_people, reported.observed_at as reported_at, present.people as checked_in,
    present.latest as checked_in_at, gym.chord as chord
    from (
      (
        select gyms.*, gyms.place operator(extensions.<->) extensions.cube($1::double precision[]) as chord from gyms where $2::double precision >= 2 and ($3::double precision is null or (gyms.place operator(extensions.<->) extensions.cube($1::double precision[]), gyms.id) > ($3, $4::uuid))
        order by gyms.place operator(extensions.<->) extensions.cube($1::double precision[]) fetch first ($5::bigint) rows with ties
      )
      union all
      (
        select gyms.*, gyms.place operator(extensions.<->) extensions.cube($1::double precision[]) as chord from gyms
        where $2 < 2
          and gyms.place operator(extensions.<@) extensions.cube_enlarge(extensions.cube($1::double precision[]), $6, 3)
          and gyms.place operator(extensions.<->) extensions.cube($1::double precision[]) <= $2 and ($3::double precision is null or (gyms.place operator(extensions.<->) extensions.cube($1::double precision[]), gyms.id) > ($3, $4::uuid))
        order by gyms.place operator(extensions.<->) extensions.cube($1::double precision[]) fetch first ($5::bigint) rows with ties
      )
    ) as gym
    left join gym_usage as reported on reported.gym_id = gym.id
    cross join lateral (
      select count(*) as people, max(presence.checked_in_at) as latest from gym_presences as presence
      where presence.gym_id = gym.id and presence.checked_in_at > $7::timestamptz
        and presence.checked_in_at <= $8::timestamptz and presence.leaves_at > $8::timestamptz
    ) as present
    order by gym.chord, gym.id
    limit $5::bigint
    """
  package let vector: [Double]
  /// The radius of the search as a chord; 2 and more for the whole Earth.
  package let maxChord: Double
  package let afterChord: Double?
  package let afterID: GymID?
  package let limit: Int64
  /// Half an edge of the cube around the ball of that radius.
  package let cubeSize: Double
  package let since: Instant
  package let now: Instant

  package init(
    vector: [Double], maxChord: Double, afterChord: Double?, afterID: GymID?, limit: Int64, cubeSize: Double,
    since: Instant, now: Instant) {
    self.vector = vector
    self.maxChord = maxChord
    self.afterChord = afterChord
    self.afterID = afterID
    self.limit = limit
    self.cubeSize = cubeSize
    self.since = since
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(vector)
    p.append(maxChord)
    p.append(afterChord)
    p.append(afterID)
    p.append(limit)
    p.append(cubeSize)
    p.append(since)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(gym: try StoredGym(GymColumns.decode(row)), chord: try row.next())
  }
}

/// The UTC offsets of time zones during a period; no row for an unknown zone.
package struct ZoneChanges: Statement {
  package struct Row: Sendable {
    package let zone: String
    /// When the offset begins.
    package let moment: Instant
    /// How far the zone's clocks are ahead of UTC.
    package let seconds: Int32
  }

  package static let pace = Pace.slow
  package static let sql = """
    select zone.name as zone, change.moment as moment, change.seconds as seconds
    from unnest($1::text[]) as zone (name) cross join lateral zone_changes(zone.name, $2, $3) as change
    order by zone.name, change.moment
    """
  package let zones: [String]
  package let since: Instant
  package let until: Instant

  package init(zones: [String], since: Instant, until: Instant) {
    self.zones = zones
    self.since = since
    self.until = until
  }

  package func bind(_ p: inout Parameters) {
    p.append(zones)
    p.append(since)
    p.append(until)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(zone: try row.next(), moment: try row.next(), seconds: try row.next())
  }
}

/// Whether gyms are loaded.
package struct HasGyms: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select exists (select 1 from gyms) as has_gyms
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
