import IdentityDomain
import Identifiers
import Jobs
import Postgres

extension JobKind where Payload == String {
  /// A user's daily reminder; both the payload and the key are the account's id ([ID-63]).
  package static let gymReminder = JobKind("gym_reminder")
}

package struct StoredReminder: RowDecodable, Equatable {
  package let plan: ReminderPlan
  package let timeZone: String
  /// The local date on which it last reminded, or was too late to do so.
  package let lastDay: CivilDate?
  /// The time of the next reminder; `nil` if none is scheduled.
  package let dueAt: Instant?

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredReminder {
    let (minutes, days, state): (Int16, [Int16], String) = (try row.next(), try row.next(), try row.next())
    guard let time = LocalTime(minuteOfDay: minutes), let weekdays = IdentityDomain.Weekdays(days),
      let state = ReminderPlan.State(rawValue: state)
    else { throw ColumnError("\(minutes), \(days), \(state) is no plan of a reminder") }
    return StoredReminder(
      plan: ReminderPlan(time: time, weekdays: weekdays, state: state), timeZone: try row.next(),
      lastDay: try row.next(), dueAt: try row.next())
  }
}

/// Selects a user's reminder; returns no row when they never set one.
package struct ReminderOf: Statement {
  package typealias Row = StoredReminder
  package static let sql = """
    select
      reminder.minute_of_day, reminder.weekdays, reminder.state, profiles.time_zone, reminder.last_day, jobs.due_at
    from reminders as reminder
    join profiles on profiles.account_id = reminder.account_id
    left join jobs
      on jobs.kind = 'gym_reminder' and jobs.key = reminder.account_id::text and jobs.dead_at is null
    where reminder.account_id = $1
    """
  let userID: UserID

  package init(_ userID: UserID) { self.userID = userID }

  package func bind(_ p: inout Parameters) { p.append(userID) }
}

/// Sets a user's reminder; they must have a profile.
package struct SetReminder: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into reminders (account_id, minute_of_day, weekdays, state) values ($1, $2::integer, $3, $4)
    on conflict on constraint reminders_pkey do update
    set minute_of_day = excluded.minute_of_day, weekdays = excluded.weekdays, state = excluded.state
    """
  let userID: UserID
  let plan: ReminderPlan

  package init(of userID: UserID, _ plan: ReminderPlan) {
    self.userID = userID
    self.plan = plan
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(Int32(plan.time.minuteOfDay))
    p.append(plan.weekdays.numbers)
    p.append(plan.state.rawValue)
  }
}

/// Selects the time of a user's reminder and the current date in their zone; returns no row when they have none or it
/// is off.
package struct ReminderToGive: Statement {
  package typealias Row = (time: LocalTime, today: CivilDate)
  package static let sql = """
    select reminder.minute_of_day, ($2::timestamptz at time zone profiles.time_zone)::date
    from reminders as reminder join profiles on profiles.account_id = reminder.account_id
    where reminder.account_id = $1 and reminder.state = 'ON'
    """
  let userID: UserID
  let now: Instant

  package init(of userID: UserID, now: Instant) {
    self.userID = userID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    let minutes: Int16 = try row.next()
    guard let time = LocalTime(minuteOfDay: minutes) else { throw ColumnError("\(minutes) is no minute of a day") }
    return (time: time, today: try row.next())
  }
}

/// Records the local date of a reminder that was sent, or is obsolete.
package struct NoteReminder: Statement {
  package typealias Row = Void
  package static let sql = "update reminders set last_day = $2 where account_id = $1"
  let userID: UserID
  let day: CivilDate

  package init(of userID: UserID, on day: CivilDate) {
    self.userID = userID
    self.day = day
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(day)
  }
}
