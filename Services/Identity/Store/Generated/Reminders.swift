// Made from reminders.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

package struct ReminderColumns: Sendable {
  package let time: LocalTime
  package let weekdays: Weekdays
  package let state: ReminderPlan.State
  package let timeZone: TimeZoneName
  /// The local date on which it last reminded, or was too late to do so.
  package let lastDay: CivilDate?
  /// The time of the next reminder; `nil` if none is scheduled.
  package let dueAt: Instant?

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ReminderColumns {
    ReminderColumns(
      time: try row.next(), weekdays: try row.next(), state: try row.next(), timeZone: try row.next(),
      lastDay: try row.next(), dueAt: try row.next())
  }
}

/// A user's reminder; no row if they never set one.
package struct ReminderOf: SingleRowStatement {
  package typealias Row = StoredReminder
  package static let sql = """
    select reminder.minute_of_day as time, reminder.weekdays, reminder.state, profiles.time_zone, reminder.last_day, jobs.due_at
    from reminders as reminder
    join profiles on profiles.account_id = reminder.account_id
    left join jobs
      on jobs.kind = 'gym_reminder' and jobs.key = reminder.account_id::text and jobs.dead_at is null
    where reminder.account_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredReminder(ReminderColumns.decode(row))
  }
}

/// Sets a user's reminder; their account must be verified.
package struct SetReminder: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into reminders (account_id, minute_of_day, weekdays, state) values ($1, $2, $3, $4)
    on conflict on constraint reminders_pkey do update
    set minute_of_day = excluded.minute_of_day, weekdays = excluded.weekdays, state = excluded.state
    """
  package let userID: UserID
  package let time: LocalTime
  package let weekdays: Weekdays
  package let state: ReminderPlan.State

  package init(userID: UserID, time: LocalTime, weekdays: Weekdays, state: ReminderPlan.State) {
    self.userID = userID
    self.time = time
    self.weekdays = weekdays
    self.state = state
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(time)
    p.append(weekdays)
    p.append(state)
  }
}

/// The time of a user's reminder and the current date in their zone; no row if they have none or it is off.
package struct ReminderToGive: SingleRowStatement {
  package struct Row: Sendable {
    package let time: LocalTime
    package let today: CivilDate
  }

  package static let sql = """
    select reminder.minute_of_day as time, ($1::timestamptz at time zone profiles.time_zone)::date as today
    from reminders as reminder join profiles on profiles.account_id = reminder.account_id
    where reminder.account_id = $2 and reminder.state = 'ON'
    """
  package let now: Instant
  package let userID: UserID

  package init(now: Instant, userID: UserID) {
    self.now = now
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(time: try row.next(), today: try row.next())
  }
}

/// Records the local date of a reminder that was sent, or is obsolete.
package struct NoteReminder: Statement {
  package typealias Row = Void
  package static let sql = """
    update reminders set last_day = $1 where account_id = $2
    """
  package let day: CivilDate
  package let userID: UserID

  package init(day: CivilDate, userID: UserID) {
    self.day = day
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(day)
    p.append(userID)
  }
}
