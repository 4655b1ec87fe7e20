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
      await withTaskGroup { group in
        for (number, lane) in self.log.lanes.enumerated() {
          let executor = self.executors[number % self.executors.count]
          group.addTask(executorPreference: executor) { await self.work(lane) }
        }
      }
    }
  }

  private func work(_ lane: MessageLog.Lane) async {
    for await _ in lane.signal {
      while true {
        let batch = lane.take(Self.maxTogether)
        if batch.isEmpty { break }
        await store(batch)
      }
    }
    for message in lane.close() { message.answer(.failure(ChatFailure.stopping)) }
  }

  private func store(_ batch: [MessageLog.Waiting]) async {
    do {
      let results = try await operations.storeMessages(batch.map(\.message), in: database)
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
