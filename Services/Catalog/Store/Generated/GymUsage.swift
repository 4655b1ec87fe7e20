// Made from gym_usage.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// Stores reports of different gyms, unless a newer one is stored; a row for each that was stored ([CA-4]).
package struct StoreUsage: Statement {
  package typealias Row = GymID
  package static let sql = """
    insert into gym_usage (gym_id, people, capacity, observed_at)
    select report.gym_id, report.people, nullif(report.capacity, 0), report.observed_at
    from unnest($1::uuid[], $2::integer[], $3::integer[], $4::timestamptz[])
      as report (gym_id, people, capacity, observed_at)
    join gyms on gyms.id = report.gym_id
    order by report.gym_id
    on conflict on constraint gym_usage_pkey do update
    set people = excluded.people, capacity = coalesce(excluded.capacity, gym_usage.capacity),
      observed_at = excluded.observed_at
    where gym_usage.observed_at <= excluded.observed_at
    returning gym_id
    """
  package let gymIDs: [GymID]
  package let people: [Int32]
  /// 0 keeps the stored one.
  package let capacities: [Int32]
  package let observedTimes: [Instant]

  package init(gymIDs: [GymID], people: [Int32], capacities: [Int32], observedTimes: [Instant]) {
    self.gymIDs = gymIDs
    self.people = people
    self.capacities = capacities
    self.observedTimes = observedTimes
  }

  package func bind(_ p: inout Parameters) {
    p.append(gymIDs)
    p.append(people)
    p.append(capacities)
    p.append(observedTimes)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The gyms, among those given, that exist.
package struct KnownGyms: Statement {
  package typealias Row = GymID
  package static let sql = """
    select id from gyms where id = any($1::uuid[])
    """
  package let gymIDs: [GymID]

  package init(gymIDs: [GymID]) {
    self.gymIDs = gymIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(gymIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Stores at which gyms users checked in, each user's last check-in: of two at the same moment the later of the lists. A check-in that is
/// older than the stored one, or at an unknown gym, changes nothing ([CA-4]). Skipped are users who have deleted the account: the users'
/// rows are locked, so that nothing is stored after the account deletion ([C-9]).
package struct NotePresences: Statement {
  package typealias Row = Void
  package static let sql = """
    with reported as (
      select user_id, gym_id, checked_in_at, leaves_at, place
      from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[])
        with ordinality as check_in (user_id, gym_id, checked_in_at, leaves_at, place)
    ), present as (
      insert into users (id) select distinct user_id from reported order by user_id
      on conflict on constraint users_pkey do update set changes = users.changes where not users.deleted
      returning id
    )
    insert into gym_presences (user_id, gym_id, checked_in_at, leaves_at)
    select distinct on (present.id) present.id, gyms.id, reported.checked_in_at, reported.leaves_at
    from reported join present on present.id = reported.user_id join gyms on gyms.id = reported.gym_id
    order by present.id, reported.checked_in_at desc, reported.place desc
    on conflict on constraint gym_presences_pkey do update
    set gym_id = excluded.gym_id, checked_in_at = excluded.checked_in_at, leaves_at = excluded.leaves_at
    where gym_presences.checked_in_at <= excluded.checked_in_at
    """
  package let userIDs: [UserID]
  package let gymIDs: [GymID]
  package let checkInTimes: [Instant]
  package let endTimes: [Instant]

  package init(userIDs: [UserID], gymIDs: [GymID], checkInTimes: [Instant], endTimes: [Instant]) {
    self.userIDs = userIDs
    self.gymIDs = gymIDs
    self.checkInTimes = checkInTimes
    self.endTimes = endTimes
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
    p.append(gymIDs)
    p.append(checkInTimes)
    p.append(endTimes)
  }
}

/// Removes some of the expired check-ins.
package struct DeleteOldPresences: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from gym_presences where user_id in (
      select user_id from gym_presences where checked_in_at <= $1 order by checked_in_at limit $2
      for update skip locked
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

/// Removes a user's check-in ([C-9]).
package struct DeletePresenceOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from gym_presences where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}
