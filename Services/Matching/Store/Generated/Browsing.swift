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
    and starts_at > $3::timestamptz - interval '8 hours' and admitted & $4::smallint <> 0 and sessions.id <= $5
    and coalesce(joins_end_at, starts_at) > $1 and owner_id <> $6 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $6
      union all
      select blocker_id from blocks where blocked_id = $6
    ))
    and (offered_to is null or offered_to = $6 or offered_until <= $1) and starts_at >= $3 order by starts_at, id limit $7)
      union all
      (select * from sessions where state = 'OPEN' and starts_at > $1 and starts_at < $2 and ends_at > $3
    and starts_at > $3::timestamptz - interval '8 hours' and admitted & $4::smallint <> 0 and sessions.id <= $5
    and coalesce(joins_end_at, starts_at) > $1 and owner_id <> $6 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $6
      union all
      select blocker_id from blocks where blocked_id = $6
    ))
    and (offered_to is null or offered_to = $6 or offered_until <= $1) and starts_at < $3 order by starts_at desc, id desc limit $7)
    )
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id
    """
  package let now: Instant
  package let until: Instant
  package let since: Instant
  package let viewerBit: Int16
  /// No session that was posted later.
  package let newestID: SessionID
  package let viewerID: UserID
  package let limit: Int64

  package init(
    now: Instant, until: Instant, since: Instant, viewerBit: Int16, newestID: SessionID, viewerID: UserID,
    limit: Int64) {
    self.now = now
    self.until = until
    self.since = since
    self.viewerBit = viewerBit
    self.newestID = newestID
    self.viewerID = viewerID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(until)
    p.append(since)
    p.append(viewerBit)
    p.append(newestID)
    p.append(viewerID)
    p.append(limit)
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
    and starts_at > $4::timestamptz - interval '8 hours' and admitted & $5::smallint <> 0 and sessions.id <= $6
    and coalesce(joins_end_at, starts_at) > $2 and owner_id <> $7 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $7
      union all
      select blocker_id from blocks where blocked_id = $7
    ))
    and (offered_to is null or offered_to = $7 or offered_until <= $2) and starts_at >= $4
          order by starts_at, id limit $8
        )
        union all
        (
          select * from sessions where kind = wanted.kind and state = 'OPEN' and starts_at > $2 and starts_at < $3 and ends_at > $4
    and starts_at > $4::timestamptz - interval '8 hours' and admitted & $5::smallint <> 0 and sessions.id <= $6
    and coalesce(joins_end_at, starts_at) > $2 and owner_id <> $7 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $7
      union all
      select blocker_id from blocks where blocked_id = $7
    ))
    and (offered_to is null or offered_to = $7 or offered_until <= $2) and starts_at < $4
          order by starts_at desc, id desc limit $8
        )
      ) as nearest
    )
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id
    """
  package let kinds: [Int16]
  package let now: Instant
  package let until: Instant
  package let since: Instant
  package let viewerBit: Int16
  /// No session that was posted later.
  package let newestID: SessionID
  package let viewerID: UserID
  package let limit: Int64

  package init(
    kinds: [Int16], now: Instant, until: Instant, since: Instant, viewerBit: Int16, newestID: SessionID,
    viewerID: UserID, limit: Int64) {
    self.kinds = kinds
    self.now = now
    self.until = until
    self.since = since
    self.viewerBit = viewerBit
    self.newestID = newestID
    self.viewerID = viewerID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(kinds)
    p.append(now)
    p.append(until)
    p.append(since)
    p.append(viewerBit)
    p.append(newestID)
    p.append(viewerID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try BrowseCandidate.decode(row)
  }
}

/// Open sessions in a gym around the beginning of a slot, so many on either side.
package struct CandidatesInGym: Statement {
  package typealias Row = BrowseCandidate
  package static let sql = """
    with found as (
      (
        select * from sessions where gym_id = $1 and state = 'OPEN' and starts_at > $2 and starts_at < $3 and ends_at > $4
    and starts_at > $4::timestamptz - interval '8 hours' and admitted & $5::smallint <> 0 and sessions.id <= $6
    and coalesce(joins_end_at, starts_at) > $2 and owner_id <> $7 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $7
      union all
      select blocker_id from blocks where blocked_id = $7
    ))
    and (offered_to is null or offered_to = $7 or offered_until <= $2) and starts_at >= $4
        order by starts_at, id limit $8
      )
      union all
      (
        select * from sessions where gym_id = $1 and state = 'OPEN' and starts_at > $2 and starts_at < $3 and ends_at > $4
    and starts_at > $4::timestamptz - interval '8 hours' and admitted & $5::smallint <> 0 and sessions.id <= $6
    and coalesce(joins_end_at, starts_at) > $2 and owner_id <> $7 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $7
      union all
      select blocker_id from blocks where blocked_id = $7
    ))
    and (offered_to is null or offered_to = $7 or offered_until <= $2) and starts_at < $4
        order by starts_at desc, id desc limit $8
      )
    )
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id
    """
  package let gymID: GymID
  package let now: Instant
  package let until: Instant
  package let since: Instant
  package let viewerBit: Int16
  /// No session that was posted later.
  package let newestID: SessionID
  package let viewerID: UserID
  package let limit: Int64

  package init(
    gymID: GymID, now: Instant, until: Instant, since: Instant, viewerBit: Int16, newestID: SessionID, viewerID: UserID,
    limit: Int64) {
    self.gymID = gymID
    self.now = now
    self.until = until
    self.since = since
    self.viewerBit = viewerBit
    self.newestID = newestID
    self.viewerID = viewerID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(gymID)
    p.append(now)
    p.append(until)
    p.append(since)
    p.append(viewerBit)
    p.append(newestID)
    p.append(viewerID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try BrowseCandidate.decode(row)
  }
}

/// Open sessions of some kinds in a gym around the beginning of a slot, so many of each.
package struct CandidatesOfKindsInGym: Statement {
  package typealias Row = BrowseCandidate
  package static let sql = """
    with found as (
      select nearest.* from unnest($1::smallint[]) as wanted (kind) cross join lateral (
        (
          select * from sessions where gym_id = $2 and kind = wanted.kind and state = 'OPEN' and starts_at > $3 and starts_at < $4 and ends_at > $5
    and starts_at > $5::timestamptz - interval '8 hours' and admitted & $6::smallint <> 0 and sessions.id <= $7
    and coalesce(joins_end_at, starts_at) > $3 and owner_id <> $8 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $8
      union all
      select blocker_id from blocks where blocked_id = $8
    ))
    and (offered_to is null or offered_to = $8 or offered_until <= $3) and starts_at >= $5
          order by starts_at, id limit $9
        )
        union all
        (
          select * from sessions where gym_id = $2 and kind = wanted.kind and state = 'OPEN' and starts_at > $3 and starts_at < $4 and ends_at > $5
    and starts_at > $5::timestamptz - interval '8 hours' and admitted & $6::smallint <> 0 and sessions.id <= $7
    and coalesce(joins_end_at, starts_at) > $3 and owner_id <> $8 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $8
      union all
      select blocker_id from blocks where blocked_id = $8
    ))
    and (offered_to is null or offered_to = $8 or offered_until <= $3) and starts_at < $5
          order by starts_at desc, id desc limit $9
        )
      ) as nearest
    )
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id
    """
  package let kinds: [Int16]
  package let gymID: GymID
  package let now: Instant
  package let until: Instant
  package let since: Instant
  package let viewerBit: Int16
  /// No session that was posted later.
  package let newestID: SessionID
  package let viewerID: UserID
  package let limit: Int64

  package init(
    kinds: [Int16], gymID: GymID, now: Instant, until: Instant, since: Instant, viewerBit: Int16, newestID: SessionID,
    viewerID: UserID, limit: Int64) {
    self.kinds = kinds
    self.gymID = gymID
    self.now = now
    self.until = until
    self.since = since
    self.viewerBit = viewerBit
    self.newestID = newestID
    self.viewerID = viewerID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(kinds)
    p.append(gymID)
    p.append(now)
    p.append(until)
    p.append(since)
    p.append(viewerBit)
    p.append(newestID)
    p.append(viewerID)
    p.append(limit)
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
    and starts_at > $6::timestamptz - interval '8 hours' and admitted & $7::smallint <> 0 and sessions.id <= $8
    and coalesce(joins_end_at, starts_at) > $4 and owner_id <> $9 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $9
      union all
      select blocker_id from blocks where blocked_id = $9
    ))
    and (offered_to is null or offered_to = $9 or offered_until <= $4) and starts_at >= $6
          order by starts_at, sessions.id limit $10
        )
        union all
        (
          select * from sessions where gym_id = near.id and state = 'OPEN' and starts_at > $4 and starts_at < $5 and ends_at > $6
    and starts_at > $6::timestamptz - interval '8 hours' and admitted & $7::smallint <> 0 and sessions.id <= $8
    and coalesce(joins_end_at, starts_at) > $4 and owner_id <> $9 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $9
      union all
      select blocker_id from blocks where blocked_id = $9
    ))
    and (offered_to is null or offered_to = $9 or offered_until <= $4) and starts_at < $6
          order by starts_at desc, sessions.id desc limit $10
        )
      ) as around
      limit $11
    ), found as (
      select * from visited where ($12::smallint[] is null or kind = any($12)) limit $13
    )
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id
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
  package let viewerID: UserID
  /// How many of a gym's sessions are looked at on either side of the beginning.
  package let each: Int64
  /// How many in all.
  package let visits: Int64
  /// `nil` for all.
  package let kinds: [Int16]?
  package let limit: Int64

  package init(
    vector: [Double], gyms: Int64, chord: Double, now: Instant, until: Instant, since: Instant, viewerBit: Int16,
    newestID: SessionID, viewerID: UserID, each: Int64, visits: Int64, kinds: [Int16]?, limit: Int64) {
    self.vector = vector
    self.gyms = gyms
    self.chord = chord
    self.now = now
    self.until = until
    self.since = since
    self.viewerBit = viewerBit
    self.newestID = newestID
    self.viewerID = viewerID
    self.each = each
    self.visits = visits
    self.kinds = kinds
    self.limit = limit
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
    p.append(viewerID)
    p.append(each)
    p.append(visits)
    p.append(kinds)
    p.append(limit)
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
    and starts_at > $9::timestamptz - interval '8 hours' and admitted & $10::smallint <> 0 and sessions.id <= $11
    and coalesce(joins_end_at, starts_at) > $7 and owner_id <> $12 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $12
      union all
      select blocker_id from blocks where blocked_id = $12
    ))
    and (offered_to is null or offered_to = $12 or offered_until <= $7)
        order by greatest(starts_at - $9::timestamptz, $9::timestamptz - starts_at), sessions.id limit $13
      ) as around
      limit $14
    )
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id
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
  package let viewerID: UserID
  /// How many of a gym's sessions of a focus are looked at.
  package let each: Int64
  package let limit: Int64

  package init(
    vector: [Double], gyms: Int64, chord: Double, firstKinds: [Int16], lastKinds: [Int16], kinds: [Int16], now: Instant,
    until: Instant, since: Instant, viewerBit: Int16, newestID: SessionID, viewerID: UserID, each: Int64,
    limit: Int64) {
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
    self.viewerID = viewerID
    self.each = each
    self.limit = limit
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
    p.append(viewerID)
    p.append(each)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try BrowseCandidate.decode(row)
  }
}

/// Open sessions by their start, after those that were ranked.
package struct LaterSessions: Statement {
  package typealias Row = BrowseCandidate
  package static let pace = Pace.slow
  package static let sql = """
    with found as (select * from sessions where state = 'OPEN' and starts_at > $1 and starts_at < $2 and ends_at > $3
    and starts_at > $3::timestamptz - interval '8 hours' and admitted & $4::smallint <> 0 and sessions.id <= $5
    and coalesce(joins_end_at, starts_at) > $1 and owner_id <> $6 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $6
      union all
      select blocker_id from blocks where blocked_id = $6
    ))
    and (offered_to is null or offered_to = $6 or offered_until <= $1) and (starts_at, sessions.id) > (
      coalesce($7::timestamptz, '-infinity'),
      coalesce($8::uuid, '00000000-0000-0000-0000-000000000000')
    ) order by starts_at, id limit $9)
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id order by session.starts_at, session.id limit $9
    """
  package let now: Instant
  package let until: Instant
  package let since: Instant
  package let viewerBit: Int16
  /// No session that was posted later.
  package let newestID: SessionID
  package let viewerID: UserID
  package let afterStart: Instant?
  package let afterSessionID: SessionID?
  package let limit: Int64

  package init(
    now: Instant, until: Instant, since: Instant, viewerBit: Int16, newestID: SessionID, viewerID: UserID,
    afterStart: Instant?, afterSessionID: SessionID?, limit: Int64) {
    self.now = now
    self.until = until
    self.since = since
    self.viewerBit = viewerBit
    self.newestID = newestID
    self.viewerID = viewerID
    self.afterStart = afterStart
    self.afterSessionID = afterSessionID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(until)
    p.append(since)
    p.append(viewerBit)
    p.append(newestID)
    p.append(viewerID)
    p.append(afterStart)
    p.append(afterSessionID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try BrowseCandidate.decode(row)
  }
}

/// Open sessions of some kinds by their start, after those that were ranked.
package struct LaterSessionsOfKinds: Statement {
  package typealias Row = BrowseCandidate
  package static let pace = Pace.slow
  package static let sql = """
    with found as (
      select next.* from unnest($1::smallint[]) as wanted (kind) cross join lateral (
        select * from sessions where kind = wanted.kind and state = 'OPEN' and starts_at > $2 and starts_at < $3 and ends_at > $4
    and starts_at > $4::timestamptz - interval '8 hours' and admitted & $5::smallint <> 0 and sessions.id <= $6
    and coalesce(joins_end_at, starts_at) > $2 and owner_id <> $7 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $7
      union all
      select blocker_id from blocks where blocked_id = $7
    ))
    and (offered_to is null or offered_to = $7 or offered_until <= $2) and (starts_at, sessions.id) > (
      coalesce($8::timestamptz, '-infinity'),
      coalesce($9::uuid, '00000000-0000-0000-0000-000000000000')
    ) order by starts_at, id limit $10
      ) as next
    )
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id order by session.starts_at, session.id limit $10
    """
  package let kinds: [Int16]
  package let now: Instant
  package let until: Instant
  package let since: Instant
  package let viewerBit: Int16
  /// No session that was posted later.
  package let newestID: SessionID
  package let viewerID: UserID
  package let afterStart: Instant?
  package let afterSessionID: SessionID?
  package let limit: Int64

  package init(
    kinds: [Int16], now: Instant, until: Instant, since: Instant, viewerBit: Int16, newestID: SessionID,
    viewerID: UserID, afterStart: Instant?, afterSessionID: SessionID?, limit: Int64) {
    self.kinds = kinds
    self.now = now
    self.until = until
    self.since = since
    self.viewerBit = viewerBit
    self.newestID = newestID
    self.viewerID = viewerID
    self.afterStart = afterStart
    self.afterSessionID = afterSessionID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(kinds)
    p.append(now)
    p.append(until)
    p.append(since)
    p.append(viewerBit)
    p.append(newestID)
    p.append(viewerID)
    p.append(afterStart)
    p.append(afterSessionID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try BrowseCandidate.decode(row)
  }
}

/// Open sessions in a gym, of some kinds or all, by their start, after those that were ranked.
package struct LaterSessionsInGym: Statement {
  package typealias Row = BrowseCandidate
  package static let pace = Pace.slow
  package static let sql = """
    with found as (
      select * from sessions where gym_id = $1 and state = 'OPEN' and starts_at > $2 and starts_at < $3 and ends_at > $4
    and starts_at > $4::timestamptz - interval '8 hours' and admitted & $5::smallint <> 0 and sessions.id <= $6
    and coalesce(joins_end_at, starts_at) > $2 and owner_id <> $7 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $7
      union all
      select blocker_id from blocks where blocked_id = $7
    ))
    and (offered_to is null or offered_to = $7 or offered_until <= $2) and (starts_at, sessions.id) > (
      coalesce($8::timestamptz, '-infinity'),
      coalesce($9::uuid, '00000000-0000-0000-0000-000000000000')
    ) and ($10::smallint[] is null or kind = any($10))
      order by starts_at, id limit $11
    )
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id order by session.starts_at, session.id limit $11
    """
  package let gymID: GymID
  package let now: Instant
  package let until: Instant
  package let since: Instant
  package let viewerBit: Int16
  /// No session that was posted later.
  package let newestID: SessionID
  package let viewerID: UserID
  package let afterStart: Instant?
  package let afterSessionID: SessionID?
  /// `nil` for all.
  package let kinds: [Int16]?
  package let limit: Int64

  package init(
    gymID: GymID, now: Instant, until: Instant, since: Instant, viewerBit: Int16, newestID: SessionID, viewerID: UserID,
    afterStart: Instant?, afterSessionID: SessionID?, kinds: [Int16]?, limit: Int64) {
    self.gymID = gymID
    self.now = now
    self.until = until
    self.since = since
    self.viewerBit = viewerBit
    self.newestID = newestID
    self.viewerID = viewerID
    self.afterStart = afterStart
    self.afterSessionID = afterSessionID
    self.kinds = kinds
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(gymID)
    p.append(now)
    p.append(until)
    p.append(since)
    p.append(viewerBit)
    p.append(newestID)
    p.append(viewerID)
    p.append(afterStart)
    p.append(afterSessionID)
    p.append(kinds)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try BrowseCandidate.decode(row)
  }
}

/// Open sessions in the gyms within a radius, of some kinds or all, by their start, after those that were ranked.
package struct LaterSessionsNear: Statement {
  package typealias Row = BrowseCandidate
  package static let pace = Pace.slow
  package static let sql = """
    with near as (
      select id from gyms
      where place operator(extensions.<@) extensions.cube_enlarge(extensions.cube($1::float8[]), $2, 3)
        and place operator(extensions.<->) extensions.cube($1::float8[]) <= $3
    ), found as (
      select next.* from near cross join lateral (
        select * from sessions where gym_id = near.id and state = 'OPEN' and starts_at > $4 and starts_at < $5 and ends_at > $6
    and starts_at > $6::timestamptz - interval '8 hours' and admitted & $7::smallint <> 0 and sessions.id <= $8
    and coalesce(joins_end_at, starts_at) > $4 and owner_id <> $9 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $9
      union all
      select blocker_id from blocks where blocked_id = $9
    ))
    and (offered_to is null or offered_to = $9 or offered_until <= $4) and (starts_at, sessions.id) > (
      coalesce($10::timestamptz, '-infinity'),
      coalesce($11::uuid, '00000000-0000-0000-0000-000000000000')
    ) and ($12::smallint[] is null or kind = any($12))
        order by starts_at, sessions.id limit $13
      ) as next
    )
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id order by session.starts_at, session.id limit $13
    """
  /// The point on the unit sphere.
  package let vector: [Double]
  /// Half an edge of the cube around the ball of the radius.
  package let cubeSize: Double
  /// The radius, on the unit sphere.
  package let chord: Double
  package let now: Instant
  package let until: Instant
  package let since: Instant
  package let viewerBit: Int16
  /// No session that was posted later.
  package let newestID: SessionID
  package let viewerID: UserID
  package let afterStart: Instant?
  package let afterSessionID: SessionID?
  /// `nil` for all.
  package let kinds: [Int16]?
  package let limit: Int64

  package init(
    vector: [Double], cubeSize: Double, chord: Double, now: Instant, until: Instant, since: Instant, viewerBit: Int16,
    newestID: SessionID, viewerID: UserID, afterStart: Instant?, afterSessionID: SessionID?, kinds: [Int16]?,
    limit: Int64) {
    self.vector = vector
    self.cubeSize = cubeSize
    self.chord = chord
    self.now = now
    self.until = until
    self.since = since
    self.viewerBit = viewerBit
    self.newestID = newestID
    self.viewerID = viewerID
    self.afterStart = afterStart
    self.afterSessionID = afterSessionID
    self.kinds = kinds
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(vector)
    p.append(cubeSize)
    p.append(chord)
    p.append(now)
    p.append(until)
    p.append(since)
    p.append(viewerBit)
    p.append(newestID)
    p.append(viewerID)
    p.append(afterStart)
    p.append(afterSessionID)
    p.append(kinds)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try BrowseCandidate.decode(row)
  }
}

/// As ``LaterSessionsNear``, for a radius with so many gyms that the sessions are read by their start.
package struct LaterSessionsFarAround: Statement {
  package typealias Row = BrowseCandidate
  package static let pace = Pace.slow
  package static let sql = """
    with found as (
      select sessions.* from sessions join gyms on gyms.id = sessions.gym_id
      where state = 'OPEN' and starts_at > $1 and starts_at < $2 and ends_at > $3
    and starts_at > $3::timestamptz - interval '8 hours' and admitted & $4::smallint <> 0 and sessions.id <= $5
    and coalesce(joins_end_at, starts_at) > $1 and owner_id <> $6 and owner_id <> all(array(
      select blocked_id from blocks where blocker_id = $6
      union all
      select blocker_id from blocks where blocked_id = $6
    ))
    and (offered_to is null or offered_to = $6 or offered_until <= $1) and (starts_at, sessions.id) > (
      coalesce($7::timestamptz, '-infinity'),
      coalesce($8::uuid, '00000000-0000-0000-0000-000000000000')
    ) and ($9::smallint[] is null or kind = any($9))
        and gyms.place operator(extensions.<->) extensions.cube($10::float8[]) <= $11
      order by starts_at, sessions.id limit $12
    )
    select session.id as id, session.starts_at as starts_at, session.ends_at as ends_at, session.gym_latitude as gym_latitude,
    session.gym_longitude as gym_longitude, session.focus as focus, session.level as level,
    coalesce(owner.rating_count, 0) as rating_count, coalesce(owner.rating_sum, 0) as rating_sum, coalesce(owner.attended, 0) as attended,
    coalesce(owner.missed, 0) as missed from found as session left join users as owner on owner.id = session.owner_id order by session.starts_at, session.id limit $12
    """
  package let now: Instant
  package let until: Instant
  package let since: Instant
  package let viewerBit: Int16
  /// No session that was posted later.
  package let newestID: SessionID
  package let viewerID: UserID
  package let afterStart: Instant?
  package let afterSessionID: SessionID?
  /// `nil` for all.
  package let kinds: [Int16]?
  /// The point on the unit sphere.
  package let vector: [Double]
  /// The radius, on the unit sphere.
  package let chord: Double
  package let limit: Int64

  package init(
    now: Instant, until: Instant, since: Instant, viewerBit: Int16, newestID: SessionID, viewerID: UserID,
    afterStart: Instant?, afterSessionID: SessionID?, kinds: [Int16]?, vector: [Double], chord: Double, limit: Int64) {
    self.now = now
    self.until = until
    self.since = since
    self.viewerBit = viewerBit
    self.newestID = newestID
    self.viewerID = viewerID
    self.afterStart = afterStart
    self.afterSessionID = afterSessionID
    self.kinds = kinds
    self.vector = vector
    self.chord = chord
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(until)
    p.append(since)
    p.append(viewerBit)
    p.append(newestID)
    p.append(viewerID)
    p.append(afterStart)
    p.append(afterSessionID)
    p.append(kinds)
    p.append(vector)
    p.append(chord)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try BrowseCandidate.decode(row)
  }
}

/// The slots of a user's matched sessions that overlap a range of time.
package struct SlotsTakenOf: Statement {
  package struct Row: Sendable {
    package let startsAt: Instant
    package let endsAt: Instant
  }

  package static let sql = """
    select lower(slot) as starts_at, upper(slot) as ends_at
    from participations join sessions on sessions.id = participations.session_id
    where participations.user_id = $1 and active and slot && tstzrange($2, $3) and sessions.state <> 'OPEN'
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
