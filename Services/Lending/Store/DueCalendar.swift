import Identifiers
import LendingDomain
import Postgres

/// The moments of a due date in a time zone ([LE-12]).
package struct DueCalendar: Statement {
  /// The error for a zone that the database does not know.
  package static let unknownZone: SQLState = "22023"

  package struct Row: Sendable {
    /// The present day in the zone.
    package let today: CivilDate
    package let reminderAt: Instant
    package let endsAt: Instant
  }

  package static let sql = """
    select
      ($3::timestamptz at time zone $2)::date,
      ($1::date - 1 + make_interval(hours => $4)) at time zone $2,
      ($1::date + 1)::timestamp at time zone $2
    """
  let day: CivilDate
  let zone: String
  let now: Instant

  package init(_ day: CivilDate, in zone: String, now: Instant) {
    self.day = day
    self.zone = zone
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(day)
    p.append(zone)
    p.append(now)
    p.append(Int32(DueDate.reminderHour))
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(today: try row.next(), reminderAt: try row.next(), endsAt: try row.next())
  }
}
