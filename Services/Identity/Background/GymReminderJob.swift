import IdentityOperations
import Identifiers
import Jobs

extension GymReminders {
  /// The job: the notice, the last day and its next time commit together, so that no reminder is lost or repeated.
  package var handler: JobHandler {
    .inDatabase(.gymReminder) { text, run, tx in
      guard let owner = UserID(text), let day = run.day else { throw JobRefusal("it names no user and day") }
      try await give(to: owner, dueOn: day, in: tx)
    }
  }
}
