import Repetition
import Ambient
import IdentityDomain
import IdentityStore
import Identifiers
import Logging
import Postgres
import ServiceLifecycle

/// Reminds everybody whose reminder is due, by whichever replica comes first ([ID-63]).
package struct ReminderRounds: Service {
  private let database: Database
  private let notifier: Notifier
  private let clock: any WallClock
  private let logger: Logger

  /// A reminder comes at most this much late while the service is up.
  private static let interval: Duration = .seconds(5)
  /// Reminders of one transaction. Few, because it locks as many inboxes.
  private static let batch = 50

  /// Reminds by `notifier`.
  package init(database: Database, notifier: Notifier, clock: any WallClock, logger: Logger) {
    self.database = database
    self.notifier = notifier
    self.clock = clock
    self.logger = logger
  }

  /// Looks for due reminders until the service stops.
  package func run() async throws {
    await repeatUntilShutdown(every: Self.interval, logger, "reminders could not be sent") { _ in
      while try await remind() == Self.batch { try Task.checkCancellation() }
    }
  }

  /// Sends some and says how many were due. Notice and next time commit together, so neither is lost and none comes twice.
  private func remind() async throws -> Int {
    let due = try await database.transaction { tx in
      let now = clock.now
      let due = try await tx.rows(LockDueReminders(now: now, limit: Self.batch))
      let worthSending = due.filter { ReminderPlan.isWorthSending(dueOn: $0.day, today: $0.today) }
      try await notifier.notify(worthSending.map(Self.notice), in: tx)
      for reminder in due {
        try await tx.execute(AdvanceReminder(of: reminder.accountID, past: reminder.day, now: now))
      }
      return due
    }
    if !due.isEmpty { notifier.wake(due.map(\.accountID)) }
    return due.count
  }

  private static func notice(_ due: LockDueReminders.Row) -> Notice {
    Notice(
      .gymReminder(time: due.time.description), to: due.accountID, because: .reminder(ofDay: due.day.description))
  }
}
