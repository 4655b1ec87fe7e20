import Environment
import IdentityDomain
import IdentityStore
import Identifiers
import Jobs
import Postgres

/// Has everybody reminded at their time of day ([ID-63]): for each reminder that is on there is a job that repeats by its plan, in its owner's
/// zone.
///
/// Who changes a plan or a zone, or deletes the account, locks the profile first, takes the job off and puts it on again behind the change.
/// The profile's lock keeps them apart: without it one could put a job on behind another's back. Taking the job off waits for a reminder that
/// is being given right now, which holds the job and needs reminder, inbox and account, but never the profile's lock: so nobody waits for a job
/// who has locked one of those three.
package struct ReminderScheduler: Sendable {
  private let jobs: Jobs

  /// Schedules with `jobs`.
  package init(jobs: Jobs) { self.jobs = jobs }

  /// Takes somebody's next reminder off, if there is one; the transaction has locked their profile, if they have one.
  func clear(_ owner: UserID, in tx: Transaction) async throws {
    try await tx.cancel(.gymReminder, key: owner.description)
  }

  /// Puts somebody's next reminder on, if theirs is on: on a later day than the last one, whatever was changed since.
  ///
  /// - Returns: the reminder as it is now; `nil` for who never set one.
  @discardableResult
  func renew(_ owner: UserID, in tx: Transaction) async throws -> StoredReminder? {
    let stored = try await tx.first(ReminderOf(owner))
    guard let stored, stored.plan.state == .on else { return stored }
    let job = Job(
      .gymReminder, owner.description, repeating: try Recurrence(stored), after: stored.lastDay, key: owner.description)
    try await tx.schedule(job, with: jobs)
    return try await tx.first(ReminderOf(owner))
  }

  /// Gives reminders when they are due: notice, last day and the job's next time commit together, so that none is lost and none comes twice.
  package static func giving(by notifier: Notifier, clock: any WallClock) -> JobHandler {
    .inDatabase(.gymReminder) { text, run, tx in
      guard let owner = UserID(text), let day = run.day else { throw JobRefusal("it is nobody's reminder") }
      guard let reminder = try await tx.first(ReminderToGive(of: owner, now: clock.now)) else {
        try await tx.cancel(.gymReminder, key: owner.description)
        return
      }
      try await tx.execute(NoteReminder(of: owner, on: day))
      guard ReminderPlan.isWorthSending(dueOn: day, today: reminder.today) else { return }
      let notice = Notice(
        .gymReminder(time: reminder.time.description), to: owner, because: .reminder(ofDay: day.description))
      try await notifier.notify([notice], in: tx)
    }
  }
}

extension Recurrence {
  /// When a stored reminder comes.
  fileprivate init(_ reminder: StoredReminder) throws(NoRecurrence) {
    let time = reminder.plan.time
    // Days count from 1 for Monday there, and are bits from 1 for Monday here.
    let days = reminder.plan.weekdays.numbers.reduce(0) { $0 | 1 << (Int($1) - 1) }
    guard
      let recurrence = Recurrence(
        hour: time.hour, minute: time.minute, on: .init(rawValue: days), in: reminder.timeZone)
    else { throw NoRecurrence(reminder: reminder) }
    self = recurrence
  }
}

/// A profile's zone has a name that no job takes.
private struct NoRecurrence: Error {
  let reminder: StoredReminder
}
