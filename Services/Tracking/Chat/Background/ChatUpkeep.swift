import ChatOperations
import Logging
import PeriodicTask
import Postgres
import ServiceLifecycle
import Synchronization

/// Does later what messages and deletions of accounts require: notifies members who are offline, and removes what deleted users wrote. At first it
/// begins the conversations of groups that have none.
///
/// Every replica looks for what is due; one that another is at work on is passed over.
package final class ChatUpkeep: Service {
  private let operations: ChatOperations
  private let database: Database
  private let logger: Logger
  private let hasBegunMissing = Mutex(false)

  private static let interval = Duration.seconds(1)
  /// Conversations, and messages, of one transaction.
  private static let (conversations, messages): (Int64, Int64) = (50, 500)

  package init(_ operations: ChatOperations, database: Database, logger: Logger) {
    (self.operations, self.database, self.logger) = (operations, database, logger)
  }

  package func run() async throws {
    await repeatUntilShutdown(every: Self.interval, logger, "the chat's upkeep did not end") { _ in
      if !self.hasBegunMissing.withLock({ $0 }) {
        while try await self.step({ try await self.operations.beginMissingConversations($0) }) {}
        self.hasBegunMissing.withLock { $0 = true }
      }
      while try await self.step({ try await self.operations.notifyAbsent(most: Self.conversations, $0) })
        == Self.conversations
      { try Task.checkCancellation() }
      while try await self.step({ try await self.operations.eraseDeletedUser(most: Self.messages, $0) }) {
        try Task.checkCancellation()
      }
      while try await self.step({ try await self.operations.addWords(most: Self.messages, $0) }) == Self.messages {
        try Task.checkCancellation()
      }
    }
  }

  private func step<Done: Sendable>(_ body: (Transaction) async throws -> Done) async throws -> Done {
    try await database.repeatableTransaction { tx in try await body(tx) }
  }
}
