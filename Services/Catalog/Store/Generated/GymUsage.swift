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

/// Stores at which gym a user whom ``EnterUser`` has locked checked in. A check-in that is older than the stored one, or at an unknown gym,
/// changes nothing ([CA-4]).
package struct NotePresence: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into gym_presences (user_id, gym_id, checked_in_at, leaves_at)
    select $1, gyms.id, $2, $3 from gyms where gyms.id = $4
    on conflict on constraint gym_presences_pkey do update
    set gym_id = excluded.gym_id, checked_in_at = excluded.checked_in_at, leaves_at = excluded.leaves_at
    where gym_presences.checked_in_at <= excluded.checked_in_at
    """
  package let userID: UserID
  package let checkedInAt: Instant
  package let leavesAt: Instant
  package let gymID: GymID

  package init(userID: UserID, checkedInAt: Instant, leavesAt: Instant, gymID: GymID) {
    self.userID = userID
    self.checkedInAt = checkedInAt
    self.leavesAt = leavesAt
    self.gymID = gymID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(checkedInAt)
    p.append(leavesAt)
    p.append(gymID)
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
