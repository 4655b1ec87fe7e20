import AccountDeletions
import Blocks
import Events
import Identifiers
import LendingDomain
import LendingOperations
import LendingStore
import Postgres
import TandemEvents
import Usernames

extension EventSubscription {
  /// Stores usernames, and closes the open requests and loans of users who delete their accounts ([C-9]).
  package static func users(_ operations: LoanOperations) -> EventSubscription {
    let deletions = EventSubscription.accountDeletions(LendingSchema.removals)
    let plan = EventSubscription(
      of: "identity", handlers: deletions.handlers,
      preparation: { events, tx in
        // The job's row is locked before those of users, as by the job itself.
        if events.contains(where: { $0.type == AccountDeleted.protobufName }) {
          try await operations.scheduleSettlement(tx)
        }
      },
      resyncRestoresAll: true,
      resync: { source in
        guard let resync = deletions.resync else { return { _ in } }
        let store = try await resync(source)
        return { tx in
          try await operations.scheduleSettlement(tx)
          try await store(tx)
        }
      })
    return plan.keepingUsernames()
  }

  /// Stores blocks: a user cannot request a book if the user or its owner has blocked the other, and pending requests between them are
  /// closed ([C-10]).
  package static func blocks(_ operations: LoanOperations) -> EventSubscription {
    .blocks(
      added: { blocks, tx in
        try await operations.scheduleClosings(Set(blocks).map { ($0.blocker, $0.blocked) }, tx)
      },
      resynced: { tx in try await operations.scheduleClosings(tx) })
  }
}
