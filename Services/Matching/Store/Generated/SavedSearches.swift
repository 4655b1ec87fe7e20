// Made from saved_searches.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import MatchingDomain
import Postgres

/// A saved search.
package struct StoredSearch: Sendable, RowDecodable {
  package let id: SearchID
  package let name: String
  package let gymID: GymID?
  package let latitude: Double?
  package let longitude: Double?
  package let radiusM: Double?
  package let focuses: [Focus]
  package let genders: [Gender]
  package let levels: [Level]
  package let weekdays: Int16
  package let earliestMinute: Int16?
  package let latestMinute: Int16?
  package let timeZone: String?
  package let createdAt: Instant

  package init(
    id: SearchID, name: String, gymID: GymID?, latitude: Double?, longitude: Double?, radiusM: Double?,
    focuses: [Focus], genders: [Gender], levels: [Level], weekdays: Int16, earliestMinute: Int16?, latestMinute: Int16?,
    timeZone: String?, createdAt: Instant) {
    self.id = id
    self.name = name
    self.gymID = gymID
    self.latitude = latitude
    self.longitude = longitude
    self.radiusM = radiusM
    self.focuses = focuses
    self.genders = genders
    self.levels = levels
    self.weekdays = weekdays
    self.earliestMinute = earliestMinute
    self.latestMinute = latestMinute
    self.timeZone = timeZone
    self.createdAt = createdAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredSearch {
    StoredSearch(
      id: try row.next(), name: try row.next(), gymID: try row.next(), latitude: try row.next(),
      longitude: try row.next(), radiusM: try row.next(), focuses: try row.next(), genders: try row.next(),
      levels: try row.next(), weekdays: try row.next(), earliestMinute: try row.next(), latestMinute: try row.next(),
      timeZone: try row.next(), createdAt: try row.next())
  }
}

/// Saves a search of a user whose row the transaction has locked; no row if the user has the most searches.
package struct InsertSearch: SingleRowStatement {
  package typealias Row = StoredSearch
  package static let sql = """
    insert into saved_searches as search (
      id, user_id, place, name, gym_id, latitude, longitude, radius_m, area, max_chord, focuses, genders, levels, weekdays,
      earliest_minute, latest_minute, time_zone, created_at
    )
    select
      $1, $2, free.place, $3, $4, $5, $6, $7,
      extensions.cube_enlarge(extensions.cube($8::double precision[]), $9::double precision + 1e-6, 3), $9,
      $10, $11, $12, $13, $14, $15, $16, $17
    from generate_series(1, 20) as free (place)
    where not exists (select from saved_searches where user_id = $2 and saved_searches.place = free.place)
    order by free.place
    limit 1
    returning search.id, search.name, search.gym_id, search.latitude, search.longitude, search.radius_m, search.focuses, search.genders,
    search.levels, search.weekdays, search.earliest_minute, search.latest_minute, search.time_zone, search.created_at
    """
  package let searchID: SearchID
  package let userID: UserID
  package let name: String
  package let gymID: GymID?
  package let latitude: Double?
  package let longitude: Double?
  package let radiusM: Double?
  /// Of the area, on the unit sphere; null without one.
  package let center: [Double]?
  package let maxChord: Double?
  package let focuses: [Focus]
  package let genders: [Gender]
  package let levels: [Level]
  package let weekdays: Int16
  package let earliestMinute: Int16?
  package let latestMinute: Int16?
  package let timeZone: String?
  package let now: Instant

  package init(
    searchID: SearchID, userID: UserID, name: String, gymID: GymID?, latitude: Double?, longitude: Double?,
    radiusM: Double?, center: [Double]?, maxChord: Double?, focuses: [Focus], genders: [Gender], levels: [Level],
    weekdays: Int16, earliestMinute: Int16?, latestMinute: Int16?, timeZone: String?, now: Instant) {
    self.searchID = searchID
    self.userID = userID
    self.name = name
    self.gymID = gymID
    self.latitude = latitude
    self.longitude = longitude
    self.radiusM = radiusM
    self.center = center
    self.maxChord = maxChord
    self.focuses = focuses
    self.genders = genders
    self.levels = levels
    self.weekdays = weekdays
    self.earliestMinute = earliestMinute
    self.latestMinute = latestMinute
    self.timeZone = timeZone
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(searchID)
    p.append(userID)
    p.append(name)
    p.append(gymID)
    p.append(latitude)
    p.append(longitude)
    p.append(radiusM)
    p.append(center)
    p.append(maxChord)
    p.append(focuses)
    p.append(genders)
    p.append(levels)
    p.append(weekdays)
    p.append(earliestMinute)
    p.append(latestMinute)
    p.append(timeZone)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredSearch.decode(row)
  }
}

/// A user's saved searches, the newest first: there are 20 at most.
package struct SearchesOf: Statement {
  package typealias Row = StoredSearch
  package static let sql = """
    select search.id, search.name, search.gym_id, search.latitude, search.longitude, search.radius_m, search.focuses, search.genders,
    search.levels, search.weekdays, search.earliest_minute, search.latest_minute, search.time_zone, search.created_at from saved_searches as search where search.user_id = $1 order by search.id desc
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredSearch.decode(row)
  }
}

/// Removes one of a user's saved searches; no row if it does not exist.
package struct DeleteSearch: SingleRowStatement {
  package typealias Row = SearchID
  package static let sql = """
    delete from saved_searches where id = $1 and user_id = $2 returning id
    """
  package let searchID: SearchID
  package let userID: UserID

  package init(searchID: SearchID, userID: UserID) {
    self.searchID = searchID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(searchID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes a user's saved searches ([C-9]).
package struct DeleteSearchesOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from saved_searches where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Removes some of the records of what a user was notified of ([C-9]).
package struct DeleteSearchNoticesOfUser: Statement {
  package typealias Row = Bool
  package static let sql = """
    delete from search_notices where user_id = $1 and session_id in (
      select session_id from search_notices where user_id = $1 order by session_id limit $2
    ) returning true as removed
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

/// Removes records about sessions that have started.
package struct DeleteOldSearchNotices: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from search_notices where (session_id, user_id) in (
      select session_id, user_id from search_notices where starts_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
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

/// Records users who have a saved search that an open session fits, and who were not notified of it, in the order of their ids; whoever is
/// recorded is to be notified.
package struct NotifySearchers: Statement {
  package typealias Row = UserID
  package static let sql = """
    with posted as (
      select id, owner_id, gym_id, starts_at, focus, level, admitted, owner_gender,
        extensions.cube(array[
          cos(radians(gym_latitude)) * cos(radians(gym_longitude)), cos(radians(gym_latitude)) * sin(radians(gym_longitude)),
          sin(radians(gym_latitude))
        ]) as gym_place
      from sessions where id = $1 and state = 'OPEN' and coalesce(joins_end_at, starts_at) > $2
    ), fitting as (
      (select distinct search.user_id
    from posted cross join saved_searches as search join users as viewer on viewer.id = search.user_id
    where search.user_id > $3 and search.user_id <> posted.owner_id and not viewer.deleted
      and not exists (
      select from blocks
      where (blocker_id = search.user_id and blocked_id = posted.owner_id) or (blocker_id = posted.owner_id and blocked_id = search.user_id)
    )
      and not exists (
        select from search_notices as earlier
        where earlier.session_id = posted.id and earlier.user_id = search.user_id
      )
      and (cardinality(search.focuses) = 0 or posted.focus = any(search.focuses))
      and (cardinality(search.genders) = 0 or posted.owner_gender = any(search.genders))
      and (cardinality(search.levels) = 0 or posted.level = any(search.levels))
      and posted.admitted & case viewer.gender when 'MALE' then 1 when 'FEMALE' then 2 when 'OTHER' then 4 end <> 0
      and (posted.level in ('ADVANCED', 'EXPERT') or viewer.level in ('ADVANCED', 'EXPERT'))
      and (
        search.time_zone is null
        or (
          search.weekdays & (1 << (extract(isodow from posted.starts_at at time zone search.time_zone)::integer - 1)) <> 0
          and (
            search.earliest_minute is null
            or case
              when search.earliest_minute <= search.latest_minute
                then floor(extract(epoch from (posted.starts_at at time zone search.time_zone)::time) / 60) between search.earliest_minute and search.latest_minute
              else floor(extract(epoch from (posted.starts_at at time zone search.time_zone)::time) / 60) >= search.earliest_minute or floor(extract(epoch from (posted.starts_at at time zone search.time_zone)::time) / 60) <= search.latest_minute
            end
          )
        )
      ) and search.gym_id = posted.gym_id order by search.user_id limit $4)
      union
      (select distinct search.user_id
    from posted cross join saved_searches as search join users as viewer on viewer.id = search.user_id
    where search.user_id > $3 and search.user_id <> posted.owner_id and not viewer.deleted
      and not exists (
      select from blocks
      where (blocker_id = search.user_id and blocked_id = posted.owner_id) or (blocker_id = posted.owner_id and blocked_id = search.user_id)
    )
      and not exists (
        select from search_notices as earlier
        where earlier.session_id = posted.id and earlier.user_id = search.user_id
      )
      and (cardinality(search.focuses) = 0 or posted.focus = any(search.focuses))
      and (cardinality(search.genders) = 0 or posted.owner_gender = any(search.genders))
      and (cardinality(search.levels) = 0 or posted.level = any(search.levels))
      and posted.admitted & case viewer.gender when 'MALE' then 1 when 'FEMALE' then 2 when 'OTHER' then 4 end <> 0
      and (posted.level in ('ADVANCED', 'EXPERT') or viewer.level in ('ADVANCED', 'EXPERT'))
      and (
        search.time_zone is null
        or (
          search.weekdays & (1 << (extract(isodow from posted.starts_at at time zone search.time_zone)::integer - 1)) <> 0
          and (
            search.earliest_minute is null
            or case
              when search.earliest_minute <= search.latest_minute
                then floor(extract(epoch from (posted.starts_at at time zone search.time_zone)::time) / 60) between search.earliest_minute and search.latest_minute
              else floor(extract(epoch from (posted.starts_at at time zone search.time_zone)::time) / 60) >= search.earliest_minute or floor(extract(epoch from (posted.starts_at at time zone search.time_zone)::time) / 60) <= search.latest_minute
            end
          )
        )
      ) and search.area operator(extensions.@>) posted.gym_place
        and extensions.cube_distance(extensions.cube(array[
          cos(radians(search.latitude)) * cos(radians(search.longitude)),
          cos(radians(search.latitude)) * sin(radians(search.longitude)), sin(radians(search.latitude))
        ]), posted.gym_place) <= search.max_chord order by search.user_id limit $4)
      union
      (select distinct search.user_id
    from posted cross join saved_searches as search join users as viewer on viewer.id = search.user_id
    where search.user_id > $3 and search.user_id <> posted.owner_id and not viewer.deleted
      and not exists (
      select from blocks
      where (blocker_id = search.user_id and blocked_id = posted.owner_id) or (blocker_id = posted.owner_id and blocked_id = search.user_id)
    )
      and not exists (
        select from search_notices as earlier
        where earlier.session_id = posted.id and earlier.user_id = search.user_id
      )
      and (cardinality(search.focuses) = 0 or posted.focus = any(search.focuses))
      and (cardinality(search.genders) = 0 or posted.owner_gender = any(search.genders))
      and (cardinality(search.levels) = 0 or posted.level = any(search.levels))
      and posted.admitted & case viewer.gender when 'MALE' then 1 when 'FEMALE' then 2 when 'OTHER' then 4 end <> 0
      and (posted.level in ('ADVANCED', 'EXPERT') or viewer.level in ('ADVANCED', 'EXPERT'))
      and (
        search.time_zone is null
        or (
          search.weekdays & (1 << (extract(isodow from posted.starts_at at time zone search.time_zone)::integer - 1)) <> 0
          and (
            search.earliest_minute is null
            or case
              when search.earliest_minute <= search.latest_minute
                then floor(extract(epoch from (posted.starts_at at time zone search.time_zone)::time) / 60) between search.earliest_minute and search.latest_minute
              else floor(extract(epoch from (posted.starts_at at time zone search.time_zone)::time) / 60) >= search.earliest_minute or floor(extract(epoch from (posted.starts_at at time zone search.time_zone)::time) / 60) <= search.latest_minute
            end
          )
        )
      ) and search.gym_id is null and search.area is null order by search.user_id limit $4)
    )
    insert into search_notices (user_id, session_id, starts_at)
    select fitting.user_id, posted.id, posted.starts_at
    from fitting cross join posted
    order by fitting.user_id
    limit $4
    on conflict on constraint search_notices_pkey do nothing
    returning user_id
    """
  package let sessionID: SessionID
  package let now: Instant
  /// The last user of the previous batch.
  package let afterUserID: UserID
  package let limit: Int64

  package init(sessionID: SessionID, now: Instant, afterUserID: UserID, limit: Int64) {
    self.sessionID = sessionID
    self.now = now
    self.afterUserID = afterUserID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(sessionID)
    p.append(now)
    p.append(afterUserID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Whether the database knows a time zone by an IANA name: abbreviations and offsets are no zones ([C-8]).
package struct IsTimeZone: SingleRowStatement {
  package typealias Row = Bool
  package static let pace = Pace.slow
  package static let sql = """
    select exists (
      select from pg_timezone_names
      where name = $1 and name !~ '^(posix|right)/' and name not in ('Factory', 'localtime', 'posixrules')
    ) as is_one
    """
  package let zone: String

  package init(zone: String) {
    self.zone = zone
  }

  package func bind(_ p: inout Parameters) {
    p.append(zone)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
