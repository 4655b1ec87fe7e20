import Batches
import ChatOperations
import Logging
import Postgres
import ServiceLifecycle

/// Stores messages in batches: what is sent while a batch is being stored is the next one ([TR-32]). A message is answered once it is durable.
package final class MessageWorker: Service {
  private let log: MessageLog
  private let operations: ChatOperations
  private let database: Database
  private let executors: [any TaskExecutor]
  private let logger: Logger

  /// Messages of a batch: as many as are worth a commit, few enough that the next does not wait for long.
  private static let maxTogether = 256

  /// - Parameter executors: where the lanes are emptied, each on one of them: event loops, on which a statement needs no other thread.
  package init(
    emptying log: MessageLog, _ operations: ChatOperations, database: Database, on executors: [any TaskExecutor],
    logger: Logger
  ) {
    (self.log, self.operations, self.database) = (log, operations, database)
    (self.executors, self.logger) = (executors, logger)
  }

  /// Stores what is sent until the service stops.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      await self.log.messages.empty(on: self.executors, in: BatchSize(entries: Self.maxTogether)) {
        await self.store($0)
      }
    }
  }

  private func store(_ batch: [MessageLog.Waiting]) async {
    do {
      let stored = try await database.transaction { tx in operations.storeMessages(batch.map(\.entry), tx) }
      let results = stored.results
      precondition(results.count == batch.count, "the statement judges every message once")
      for (waiting, result) in zip(batch, results) { waiting.answer(result.mapError { $0 }) }
    } catch let error as PostgresError where !error.isUnavailable && !error.isOverloaded && batch.count > 1 {
      // One of them is to blame, and the others are not to suffer.
      logger.error("a batch of messages could not be stored", metadata: ["cause": "\(error)"])
      for waiting in batch { await store([waiting]) }
    } catch {
      for waiting in batch { waiting.answer(.failure(error)) }
    }
  }
}
