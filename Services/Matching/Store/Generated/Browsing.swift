// Made from browsing.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import MatchingDomain
import Postgres

/// What the rank of an open session depends on.
package struct BrowseCandidate: Sendable, RowDecodable {
  package let id: SessionID
  package let startsAt: Instant
  package let endsAt: Instant
  package let gymLatitude: Double
  package let gymLongitude: Double
  package let focus: Focus
  package let level: Level
  package let ratingCount: Int64
  package let ratingSum: Int64
  package let attended: Int64
  package let missed: Int64

  package init(
    id: SessionID, startsAt: Instant, endsAt: Instant, gymLatitude: Double, gymLongitude: Double, focus: Focus,
    level: Level, ratingCount: Int64, ratingSum: Int64, attended: Int64, missed: Int64) {
    self.id = id
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.gymLatitude = gymLatitude
    self.gymLongitude = gymLongitude
    self.focus = focus
    self.level = level
    self.ratingCount = ratingCount
    self.ratingSum = ratingSum
    self.attended = attended
    self.missed = missed
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> BrowseCandidate {
    BrowseCandidate(
      id: try row.next(), startsAt: try row.next(), endsAt: try row.next(), gymLatitude: try row.next(),
      gymLongitude: try row.next(), focus: try row.next(), level: try row.next(), ratingCount: try row.next(),
      ratingSum: try row.next(), attended: try row.next(), missed: try row.next())
  }
}

/// Open sessions of every kind around the beginning of a slot.
package struct CandidatesBySlot: Statement {
  package typealias Row = BrowseCandidate
  package static let sql = """
    with found as (
      (select * from sessions where state = 'OPEN' and starts_at > $1 and starts_at < $2 and ends_at > $3
    and starts_at > $3::timestamptz - interval '8 hours' and admitted & $4::smallint <> 0 and id <= $5 and starts_at >= $3 order by starts_at, id limit $6)
      union all
      (select * from sessions where state = 'OPEN' and starts_at > $1 and starts_at < $2 and ends_at > $3
    and starts_at > $3::timestamptz - interval '8 hours' and admitted & $4::smallint <> 0 and id <= $5 and starts_at < $3 order by starts_at desc, id desc limit $6)
    )
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id
    where session.owner_id <> $7 and session.owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $7
      union all
      select blocker_id from blocks where blocked_id = $7
    ))
      and (session.offered_to is null or session.offered_to = $7 or session.offered_until <= $1)
    """
  package let now: Instant
  package let until: Instant
  package let since: Instant
  package let viewerBit: Int16
  /// No session that was posted later.
  package let newestID: SessionID
  package let limit: Int64
  package let viewerID: UserID

  package init(
    now: Instant, until: Instant, since: Instant, viewerBit: Int16, newestID: SessionID, limit: Int64,
    viewerID: UserID) {
    self.now = now
    self.until = until
    self.since = since
    self.viewerBit = viewerBit
    self.newestID = newestID
    self.limit = limit
    self.viewerID = viewerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(until)
    p.append(since)
    p.append(viewerBit)
    p.append(newestID)
    p.append(limit)
    p.append(viewerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try BrowseCandidate.decode(row)
  }
}

/// Open sessions of some kinds around the beginning of a slot, so many of each.
package struct CandidatesOfKinds: Statement {
  package typealias Row = BrowseCandidate
  package static let sql = """
    with found as (
      select nearest.* from unnest($1::smallint[]) as wanted (kind) cross join lateral (
        (
          select * from sessions where kind = wanted.kind and state = 'OPEN' and starts_at > $2 and starts_at < $3 and ends_at > $4
    and starts_at > $4::timestamptz - interval '8 hours' and admitted & $5::smallint <> 0 and id <= $6 and starts_at >= $4
          order by starts_at, id limit $7
        )
        union all
        (
          select * from sessions where kind = wanted.kind and state = 'OPEN' and starts_at > $2 and starts_at < $3 and ends_at > $4
    and starts_at > $4::timestamptz - interval '8 hours' and admitted & $5::smallint <> 0 and id <= $6 and starts_at < $4
          order by starts_at desc, id desc limit $7
        )
      ) as nearest
    )
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id
    where session.owner_id <> $8 and session.owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $8
      union all
      select blocker_id from blocks where blocked_id = $8
    ))
      and (session.offered_to is null or session.offered_to = $8 or session.offered_until <= $2)
    """
  package let kinds: [Int16]
  package let now: Instant
  package let until: Instant
  package let since: Instant
  package let viewerBit: Int16
  /// No session that was posted later.
  package let newestID: SessionID
  package let limit: Int64
  package let viewerID: UserID

  package init(
    kinds: [Int16], now: Instant, until: Instant, since: Instant, viewerBit: Int16, newestID: SessionID, limit: Int64,
    viewerID: UserID) {
    self.kinds = kinds
    self.now = now
    self.until = until
    self.since = since
    self.viewerBit = viewerBit
    self.newestID = newestID
    self.limit = limit
    self.viewerID = viewerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(kinds)
    p.append(now)
    p.append(until)
    p.append(since)
    p.append(viewerBit)
    p.append(newestID)
    p.append(limit)
    p.append(viewerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try BrowseCandidate.decode(row)
  }
}

/// Open sessions in a gym around the beginning of a slot, of some kinds or all: those among the nearest in time, so many on either side.
package struct CandidatesInGym: Statement {
  package typealias Row = BrowseCandidate
  package static let sql = """
    with visited as (
      (
        select * from sessions where gym_id = $1 and state = 'OPEN' and starts_at > $2 and starts_at < $3 and ends_at > $4
    and starts_at > $4::timestamptz - interval '8 hours' and admitted & $5::smallint <> 0 and id <= $6 and starts_at >= $4
        order by starts_at, id limit $7
      )
      union all
      (
        select * from sessions where gym_id = $1 and state = 'OPEN' and starts_at > $2 and starts_at < $3 and ends_at > $4
    and starts_at > $4::timestamptz - interval '8 hours' and admitted & $5::smallint <> 0 and id <= $6 and starts_at < $4
        order by starts_at desc, id desc limit $7
      )
    ), found as (
      select * from visited where ($8::smallint[] is null or kind = any($8)) order by greatest(starts_at - $4::timestamptz, $4::timestamptz - starts_at), id limit $9
    )
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id
    where session.owner_id <> $10 and session.owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $10
      union all
      select blocker_id from blocks where blocked_id = $10
    ))
      and (session.offered_to is null or session.offered_to = $10 or session.offered_until <= $2)
    """
  package let gymID: GymID
  package let now: Instant
  package let until: Instant
  package let since: Instant
  package let viewerBit: Int16
  /// No session that was posted later.
  package let newestID: SessionID
  /// How many on either side are looked at.
  package let visits: Int64
  /// `nil` for all.
  package let kinds: [Int16]?
  package let limit: Int64
  package let viewerID: UserID

  package init(
    gymID: GymID, now: Instant, until: Instant, since: Instant, viewerBit: Int16, newestID: SessionID, visits: Int64,
    kinds: [Int16]?, limit: Int64, viewerID: UserID) {
    self.gymID = gymID
    self.now = now
    self.until = until
    self.since = since
    self.viewerBit = viewerBit
    self.newestID = newestID
    self.visits = visits
    self.kinds = kinds
    self.limit = limit
    self.viewerID = viewerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(gymID)
    p.append(now)
    p.append(until)
    p.append(since)
    p.append(viewerBit)
    p.append(newestID)
    p.append(visits)
    p.append(kinds)
    p.append(limit)
    p.append(viewerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try BrowseCandidate.decode(row)
  }
}

/// Open sessions in the gyms around a point, the nearest gyms first, in each around the beginning of a slot; of some kinds or all.
package struct CandidatesNearPoint: Statement {
  package typealias Row = BrowseCandidate
  package static let sql = """
    with near as (select id from (
      select id, place operator(extensions.<->) extensions.cube($1::float8[]) as chord from gyms
      order by place operator(extensions.<->) extensions.cube($1::float8[]) limit $2
    ) as nearest where chord <= $3), visited as (
      select around.* from near cross join lateral (
        (
          select * from sessions where gym_id = near.id and state = 'OPEN' and starts_at > $4 and starts_at < $5 and ends_at > $6
    and starts_at > $6::timestamptz - interval '8 hours' and admitted & $7::smallint <> 0 and id <= $8 and starts_at >= $6
          order by starts_at, sessions.id limit $9
        )
        union all
        (
          select * from sessions where gym_id = near.id and state = 'OPEN' and starts_at > $4 and starts_at < $5 and ends_at > $6
    and starts_at > $6::timestamptz - interval '8 hours' and admitted & $7::smallint <> 0 and id <= $8 and starts_at < $6
          order by starts_at desc, sessions.id desc limit $9
        )
      ) as around
      limit $10
    ), found as (
      select * from visited where ($11::smallint[] is null or kind = any($11)) limit $12
    )
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id
    where session.owner_id <> $13 and session.owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $13
      union all
      select blocker_id from blocks where blocked_id = $13
    ))
      and (session.offered_to is null or session.offered_to = $13 or session.offered_until <= $4)
    """
  /// The point on the unit sphere.
  package let vector: [Double]
  /// How many gyms are looked at.
  package let gyms: Int64
  /// How far they are at most, on the unit sphere.
  package let chord: Double
  package let now: Instant
  package let until: Instant
  package let since: Instant
  package let viewerBit: Int16
  /// No session that was posted later.
  package let newestID: SessionID
  /// How many of a gym's sessions are looked at on either side of the beginning.
  package let each: Int64
  /// How many in all.
  package let visits: Int64
  /// `nil` for all.
  package let kinds: [Int16]?
  package let limit: Int64
  package let viewerID: UserID

  package init(
    vector: [Double], gyms: Int64, chord: Double, now: Instant, until: Instant, since: Instant, viewerBit: Int16,
    newestID: SessionID, each: Int64, visits: Int64, kinds: [Int16]?, limit: Int64, viewerID: UserID) {
    self.vector = vector
    self.gyms = gyms
    self.chord = chord
    self.now = now
    self.until = until
    self.since = since
    self.viewerBit = viewerBit
    self.newestID = newestID
    self.each = each
    self.visits = visits
    self.kinds = kinds
    self.limit = limit
    self.viewerID = viewerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(vector)
    p.append(gyms)
    p.append(chord)
    p.append(now)
    p.append(until)
    p.append(since)
    p.append(viewerBit)
    p.append(newestID)
    p.append(each)
    p.append(visits)
    p.append(kinds)
    p.append(limit)
    p.append(viewerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try BrowseCandidate.decode(row)
  }
}

/// Open sessions of some kinds in the gyms around a point, the nearest gyms first, in each around the beginning of a slot. The
/// index is read for each focus, so that a rare one is found in many gyms.
package struct CandidatesOfFocusesNearPoint: Statement {
  package typealias Row = BrowseCandidate
  package static let sql = """
    with near as (select id from (
      select id, place operator(extensions.<->) extensions.cube($1::float8[]) as chord from gyms
      order by place operator(extensions.<->) extensions.cube($1::float8[]) limit $2
    ) as nearest where chord <= $3), found as (
      select around.* from near
      cross join unnest($4::smallint[], $5::smallint[]) as wanted (first_kind, last_kind)
      cross join lateral (
        select * from sessions
        where gym_id = near.id and kind between wanted.first_kind and wanted.last_kind and kind = any($6::smallint[])
          and state = 'OPEN' and starts_at > $7 and starts_at < $8 and ends_at > $9
    and starts_at > $9::timestamptz - interval '8 hours' and admitted & $10::smallint <> 0 and id <= $11
        order by greatest(starts_at - $9::timestamptz, $9::timestamptz - starts_at), sessions.id limit $12
      ) as around
      limit $13
    )
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id
    where session.owner_id <> $14 and session.owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $14
      union all
      select blocker_id from blocks where blocked_id = $14
    ))
      and (session.offered_to is null or session.offered_to = $14 or session.offered_until <= $7)
    """
  /// The point on the unit sphere.
  package let vector: [Double]
  /// How many gyms are looked at.
  package let gyms: Int64
  /// How far they are at most, on the unit sphere.
  package let chord: Double
  /// Of each focus the first kind.
  package let firstKinds: [Int16]
  /// Of each focus the last kind.
  package let lastKinds: [Int16]
  package let kinds: [Int16]
  package let now: Instant
  package let until: Instant
  package let since: Instant
  package let viewerBit: Int16
  /// No session that was posted later.
  package let newestID: SessionID
  /// How many of a gym's sessions of a focus are looked at.
  package let each: Int64
  package let limit: Int64
  package let viewerID: UserID

  package init(
    vector: [Double], gyms: Int64, chord: Double, firstKinds: [Int16], lastKinds: [Int16], kinds: [Int16], now: Instant,
    until: Instant, since: Instant, viewerBit: Int16, newestID: SessionID, each: Int64, limit: Int64,
    viewerID: UserID) {
    self.vector = vector
    self.gyms = gyms
    self.chord = chord
    self.firstKinds = firstKinds
    self.lastKinds = lastKinds
    self.kinds = kinds
    self.now = now
    self.until = until
    self.since = since
    self.viewerBit = viewerBit
    self.newestID = newestID
    self.each = each
    self.limit = limit
    self.viewerID = viewerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(vector)
    p.append(gyms)
    p.append(chord)
    p.append(firstKinds)
    p.append(lastKinds)
    p.append(kinds)
    p.append(now)
    p.append(until)
    p.append(since)
    p.append(viewerBit)
    p.append(newestID)
    p.append(each)
    p.append(limit)
    p.append(viewerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try BrowseCandidate.decode(row)
  }
}

/// The slots of a user's active sessions that overlap a range of time.
package struct SlotsTakenOf: Statement {
  package struct Row: Sendable {
    package let startsAt: Instant
    package let endsAt: Instant
  }

  package static let sql = """
    select lower(slot) as starts_at, upper(slot) as ends_at from participations
    where user_id = $1 and active and slot && tstzrange($2, $3)
    """
  package let userID: UserID
  package let since: Instant
  package let until: Instant

  package init(userID: UserID, since: Instant, until: Instant) {
    self.userID = userID
    self.since = since
    self.until = until
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(since)
    p.append(until)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(startsAt: try row.next(), endsAt: try row.next())
  }
}
