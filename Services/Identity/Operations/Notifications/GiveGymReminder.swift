import Environment
import IdentityDomain
import IdentityStore
import Identifiers
import Jobs
import Postgres

/// Gives gym reminders ([ID-63]).
package struct GymReminders: Sendable {
  private let notifier: Notifier
  private let clock: any WallClock

  package init(notifier: Notifier, clock: any WallClock) { (self.notifier, self.clock) = (notifier, clock) }

  /// Gives the reminder of a day, unless that was long ago; ends the job of a reminder that is off.
  package func give(to owner: UserID, dueOn day: CivilDate, in tx: Transaction) async throws {
    guard let reminder = try await tx.first(ReminderToGive(now: clock.now, userID: owner)) else {
      try await tx.cancel(.gymReminder, key: owner.description)
      return
    }
    try await tx.execute(NoteReminder(day: day, userID: owner))
    guard ReminderPlan.isWorthSending(dueOn: day, today: reminder.today) else { return }
    let notice = Notice(
      .gymReminder(time: reminder.time.description), to: owner, because: .reminder(ofDay: day.description))
    try await notifier.notify([notice], in: tx)
  }
}
