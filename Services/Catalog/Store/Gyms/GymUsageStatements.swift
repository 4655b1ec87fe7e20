import AccountDeletions
import CatalogDomain
import Events
import Expiry
import Identifiers
import Postgres

/// An operator's report of how many people are in a gym.
package struct HeadCount: Sendable {
  package let gym: GymID
  let people: Int32
  let capacity: Int32?
  let observedAt: Instant

  /// - Parameter capacity: `nil` keeps the stored one.
  package init(gym: GymID, people: Int32, capacity: Int32?, observedAt: Instant) {
    (self.gym, self.people, self.capacity, self.observedAt) = (gym, people, capacity, observedAt)
  }
}

/// Stores reports of different gyms, unless a newer one is stored; a row for each that was stored ([CA-4]).
package struct StoreUsage: Statement {
  package typealias Row = GymID
  // In the order of ids, so that two transactions cannot deadlock.
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
  let reports: [HeadCount]

  package init(_ reports: [HeadCount]) { self.reports = reports }

  package func bind(_ p: inout Parameters) {
    p.append(reports.map(\.gym))
    p.append(reports.map(\.people))
    p.append(reports.map { $0.capacity ?? 0 })
    p.append(reports.map(\.observedAt))
  }
}

/// The gyms, among those given, that exist.
package struct KnownGyms: Statement {
  package typealias Row = GymID
  package static let sql = "select id from gyms where id = any($1::uuid[])"
  let ids: [GymID]

  package init(_ ids: [GymID]) { self.ids = ids }

  package func bind(_ p: inout Parameters) { p.append(ids) }
}

/// Stores at which gym a user whom ``EnterUser`` has locked checked in. A check-in that is older than the stored one, or at an unknown gym,
/// changes nothing ([CA-4]).
package struct NotePresence: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into gym_presences (person_id, gym_id, checked_in_at, leaves_at)
    select $1, gyms.id, $3, $4 from gyms where gyms.id = $2
    on conflict on constraint gym_presences_pkey do update
    set gym_id = excluded.gym_id, checked_in_at = excluded.checked_in_at, leaves_at = excluded.leaves_at
    where gym_presences.checked_in_at <= excluded.checked_in_at
    """
  let user: UserID
  let gym: GymID
  let checkedInAt: Instant
  let leavesAt: Instant

  package init(of user: UserID, at gym: GymID, from checkedInAt: Instant, until leavesAt: Instant) {
    (self.user, self.gym, self.checkedInAt, self.leavesAt) = (user, gym, checkedInAt, leavesAt)
  }

  package func bind(_ p: inout Parameters) {
    p.append(user)
    p.append(gym)
    p.append(checkedInAt)
    p.append(leavesAt)
  }
}

/// Removes some of the expired check-ins.
package struct DeleteOldPresences: ExpiryStatement {
  package static let kept = GymUsage.lifetime
  package static let sql = """
    delete from gym_presences where person_id in (
      select person_id from gym_presences where checked_in_at <= $1 order by checked_in_at limit $2 for update skip locked
    ) returning 1
    """
  package let batch: ExpiryBatch
  package init(_ batch: ExpiryBatch) { self.batch = batch }
}

/// Removes a user's check-in ([C-9]).
package struct DeletePresenceOfUser: AccountDeletionStatement {
  package typealias Row = Void
  package static let sql = "delete from gym_presences where person_id = $1"
  package static let users = "select person_id from gym_presences"
  private let user: UserID

  package init(of user: UserID) { self.user = user }

  package func bind(_ p: inout Parameters) { p.append(user) }
}

/// The UTC offsets of time zones during a period; no row for an unknown zone.
package struct ZoneChanges: Statement {
  package static let pace = Pace.slow
  package struct Row: Sendable {
    package let zone: String
    package let change: ZoneOffsets.Change
  }

  package static let sql = """
    select zone.name, change.moment, change.seconds
    from unnest($1::text[]) as zone (name) cross join lateral zone_changes(zone.name, $2, $3) as change
    order by zone.name, change.moment
    """
  let zones: [String]
  let span: Range<Instant>

  package init(of zones: [String], during span: Range<Instant>) {
    self.zones = zones
    self.span = span
  }

  package func bind(_ p: inout Parameters) {
    p.append(zones)
    p.append(span.lowerBound)
    p.append(span.upperBound)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    let zone: String = try row.next()
    return Row(zone: zone, change: ZoneOffsets.Change(at: try row.next(), seconds: Int(try row.next() as Int32)))
  }
}
