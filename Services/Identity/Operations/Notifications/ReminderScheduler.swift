import Identifiers
import IdentityDomain
import IdentityStore
import Jobs
import Postgres

/// Schedules the gym reminders of users ([ID-63]): for each reminder that is on there is a job that recurs by its plan,
/// in its owner's zone.
///
/// A transaction that changes a plan or a zone, or deletes the account, locks the profile first, cancels the job, and
/// schedules it again after the change. Without the profile lock one transaction could schedule a job unnoticed by
/// another. Cancelling waits for a reminder that is running, which holds the job and needs reminder, inbox and account,
/// but never the profile lock. So no transaction that has locked one of those three waits for a job.
package struct ReminderScheduler: Sendable {
  private let jobs: Jobs

  package init(jobs: Jobs) { self.jobs = jobs }

  /// Cancels a user's next reminder, if there is one; the transaction has locked their profile, if they have one.
  package func clear(_ owner: UserID, in tx: Transaction) async throws {
    try await tx.cancel(.gymReminder, key: owner.description)
  }

  /// Schedules a user's next reminder if it is on: on a later day than the last one, whatever was changed since.
  ///
  /// - Returns: the reminder with its new time; `nil` for a user who never set one.
  @discardableResult
  package func renew(_ owner: UserID, in tx: Transaction) async throws -> StoredReminder? {
    let stored = try await tx.first(ReminderOf(userID: owner))
    guard let stored, stored.plan.state == .on else { return stored }
    let job = Job(
      .gymReminder, owner.description, repeating: try Recurrence(stored), after: stored.lastDay, key: owner.description)
    try await tx.schedule(job, with: jobs)
    return try await tx.first(ReminderOf(userID: owner))
  }
}

extension Recurrence {
  fileprivate init(_ reminder: StoredReminder) throws(NoRecurrence) {
    let time = reminder.plan.time
    // `Recurrence` and `Weekdays` both count from 1 for Monday; a recurrence has a bit for each day.
    let days = reminder.plan.weekdays.numbers.reduce(0) { $0 | 1 << (Int($1) - 1) }
    guard
      let recurrence = Recurrence(
        hour: time.hour, minute: time.minute, on: .init(rawValue: days), in: reminder.timeZone.description)
    else { throw NoRecurrence(reminder: reminder) }
    self = recurrence
  }
}

/// The profile's zone has a name that a job does not accept.
private struct NoRecurrence: Error {
  let reminder: StoredReminder
}
