import IdentityDomain
import Identifiers
import Postgres

/// A reminder as it is stored.
package struct StoredReminder: Sendable, Equatable {
  package let plan: ReminderPlan
  package let timeZone: String
  package let dueAt: Instant?

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredReminder {
    let (minutes, days, state): (Int16, [Int16], String) = (try row.next(), try row.next(), try row.next())
    guard let time = LocalTime(minuteOfDay: minutes), let weekdays = Weekdays(days),
      let state = ReminderPlan.State(rawValue: state)
    else { throw ColumnError("\(minutes), \(days), \(state) is no plan of a reminder") }
    return StoredReminder(
      plan: ReminderPlan(time: time, weekdays: weekdays, state: state), timeZone: try row.next(),
      dueAt: try row.next())
  }
}

/// How the next time of a reminder is reckoned, as SQL.
///
/// The first day, from today on in the profile's zone, that is one of the weekdays and on which it has not reminded, at the local time, where
/// that is still to come. PostgreSQL's time zones decide: a time that the clocks leave out counts by the offset before, one that they repeat
/// by the offset after.
enum NextReminder {
  /// - Parameters: names of SQL expressions for the plan's columns, the zone, and the present moment.
  static func sql(minutes: String, weekdays: String, lastDay: String, zone: String, now: String) -> String {
    """
    (
      select min((calendar.day + make_interval(mins => \(minutes))) at time zone \(zone))
      from (
        select (\(now) at time zone \(zone))::date + ahead as day from generate_series(0, 14) as ahead
      ) as calendar
      where extract(isodow from calendar.day)::smallint = any(\(weekdays))
        and (\(lastDay) is null or calendar.day > \(lastDay))
        and (calendar.day + make_interval(mins => \(minutes))) at time zone \(zone) > \(now)
    )
    """
  }
}

/// Somebody's reminder; no row when they never set one.
package struct ReminderOf: Statement {
  package static let sql = """
    select reminder.minute_of_day, reminder.weekdays, reminder.state, profiles.time_zone, reminder.due_at
    from reminders as reminder join profiles on profiles.account_id = reminder.account_id
    where reminder.account_id = $1
    """
  let accountID: AccountID

  package init(_ accountID: AccountID) { self.accountID = accountID }

  package func bind(_ p: inout Parameters) { p.append(accountID) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredReminder {
    try StoredReminder.decode(row)
  }
}

/// Sets somebody's reminder and reckons its next time; no row when they have no profile.
package struct SetReminder: Statement {
  package static let sql = """
    with plan as (
      select
        profiles.account_id, profiles.time_zone,
        (select last_day from reminders where account_id = $1) as last_day
      from profiles where profiles.account_id = $1
    ), due as (
      select
        plan.account_id,
        case
          when $4 = 'ON' then \(NextReminder.sql(
            minutes: "$2::integer", weekdays: "$3", lastDay: "plan.last_day", zone: "plan.time_zone",
            now: "$5::timestamptz"))
        end as at
      from plan
    ), stored as (
      insert into reminders (account_id, minute_of_day, weekdays, state, due_at)
      select due.account_id, $2::integer, $3, $4, due.at from due
      on conflict on constraint reminders_pkey do update
      set minute_of_day = excluded.minute_of_day, weekdays = excluded.weekdays, state = excluded.state,
        due_at = excluded.due_at
      returning account_id, minute_of_day, weekdays, state, due_at
    )
    select stored.minute_of_day, stored.weekdays, stored.state, plan.time_zone, stored.due_at
    from stored join plan on plan.account_id = stored.account_id
    """
  let accountID: AccountID
  let plan: ReminderPlan
  let now: Instant

  package init(of accountID: AccountID, _ plan: ReminderPlan, now: Instant) {
    self.accountID = accountID
    self.plan = plan
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(accountID)
    p.append(Int32(plan.time.minuteOfDay))
    p.append(plan.weekdays.numbers)
    p.append(plan.state.rawValue)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredReminder {
    try StoredReminder.decode(row)
  }
}

/// Reckons the next time of a reminder anew, after a change of the profile's zone.
package struct RescheduleReminder: Statement {
  package typealias Row = Void
  package static let sql = """
    update reminders as reminder set due_at = \(NextReminder.sql(
      minutes: "reminder.minute_of_day", weekdays: "reminder.weekdays", lastDay: "reminder.last_day",
      zone: "profiles.time_zone", now: "$2::timestamptz"))
    from profiles
    where reminder.account_id = $1 and profiles.account_id = reminder.account_id and reminder.state = 'ON'
    """
  let accountID: AccountID
  let now: Instant

  package init(of accountID: AccountID, now: Instant) {
    self.accountID = accountID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(accountID)
    p.append(now)
  }
}

/// Locks some reminders that are due, those that were due first, and passes over what another replica has locked.
package struct LockDueReminders: Statement {
  /// A reminder that is due.
  package struct Row: Sendable {
    package let accountID: AccountID
    package let time: LocalTime
    /// The local day that it is due on.
    package let day: CivilDate
    /// The local day that it is now.
    package let today: CivilDate
  }

  package static let sql = """
    select
      reminder.account_id, reminder.minute_of_day, (reminder.due_at at time zone profiles.time_zone)::date,
      ($1 at time zone profiles.time_zone)::date
    from reminders as reminder join profiles on profiles.account_id = reminder.account_id
    where reminder.due_at <= $1
    order by reminder.due_at limit $2
    for update of reminder skip locked
    """
  let now: Instant
  let limit: Int64

  package init(now: Instant, limit: Int) {
    self.now = now
    self.limit = Int64(limit)
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    let (accountID, minutes): (AccountID, Int16) = (try row.next(), try row.next())
    guard let time = LocalTime(minuteOfDay: minutes) else { throw ColumnError("\(minutes) is no minute of a day") }
    return Row(accountID: accountID, time: time, day: try row.next(), today: try row.next())
  }
}

/// Notes the local day of a reminder that the transaction has locked, and reckons its next time.
package struct AdvanceReminder: Statement {
  package typealias Row = Void
  package static let sql = """
    update reminders as reminder set last_day = $2, due_at = \(NextReminder.sql(
      minutes: "reminder.minute_of_day", weekdays: "reminder.weekdays", lastDay: "$2::date",
      zone: "profiles.time_zone", now: "$3::timestamptz"))
    from profiles
    where reminder.account_id = $1 and profiles.account_id = reminder.account_id
    """
  let accountID: AccountID
  let day: CivilDate
  let now: Instant

  package init(of accountID: AccountID, past day: CivilDate, now: Instant) {
    self.accountID = accountID
    self.day = day
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(accountID)
    p.append(day)
    p.append(now)
  }
}
