import IdentityDomain
import Identifiers
import Jobs
import Postgres

extension JobKind where Payload == String {
  /// A user's daily reminder; both the payload and the key are the account's id ([ID-63]).
  package static let gymReminder = JobKind("gym_reminder")
}

package struct StoredReminder: Sendable, Equatable {
  package let plan: ReminderPlan
  package let timeZone: TimeZoneName
  /// The local date on which it last reminded, or was too late to do so.
  package let lastDay: CivilDate?
  /// The time of the next reminder; `nil` if none is scheduled.
  package let dueAt: Instant?

  init(_ columns: ReminderColumns) {
    plan = ReminderPlan(time: columns.time, weekdays: columns.weekdays, state: columns.state)
    timeZone = columns.timeZone
    lastDay = columns.lastDay
    dueAt = columns.dueAt
  }
}

extension SetReminder {
  package init(userID: UserID, _ plan: ReminderPlan) {
    self.init(userID: userID, time: plan.time, weekdays: plan.weekdays, state: plan.state)
  }
}
