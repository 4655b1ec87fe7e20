import ImporterStore
import Logging
import Postgres
import ServiceLifecycle
import Synchronization

/// Stores how imports of files ended that could not store it themselves: a task that was cancelled, because its call had ended, can ask the
/// database for nothing any more.
package final class FileImportEndings: Service {
  private struct State {
    /// Imports that may still give an ending.
    var open = 0
    var isStopping = false

    var isOver: Bool { isStopping && open == 0 }
  }

  private let database: Database
  private let logger: Logger
  private let (endings, queue) = AsyncStream.makeStream(
    of: FinishFileImport.self, bufferingPolicy: .bufferingOldest(maxCount))
  private let state = Mutex(State())

  /// Endings that may wait, while the database is away; what is more is shown as interrupted later.
  private static let maxCount = 1_000
  /// How often one is stored, if the database refuses.
  private static let attempts = 5

  package init(database: Database, logger: Logger) { (self.database, self.logger) = (database, logger) }

  /// Runs an import: when the service stops, its ending is waited for.
  func awaited(_ body: () async throws -> Void) async throws {
    state.withLock { $0.open += 1 }
    defer { finish { $0.open -= 1 } }
    try await body()
  }

  /// Stores one soon.
  func store(_ ending: FinishFileImport) {
    if case .enqueued = queue.yield(ending) { return }
    logger.warning("the end of an import is not stored", metadata: ["cause": "too many wait"])
  }

  /// Stores what it is given, until the service stops and no import runs any more.
  package func run() async throws {
    await withGracefulShutdownHandler {
      for await ending in endings { await write(ending) }
    } onGracefulShutdown: {
      self.finish { $0.isStopping = true }
    }
  }

  private func finish(_ change: (inout State) -> Void) {
    let isOver = state.withLock { state in
      change(&state)
      return state.isOver
    }
    if isOver { queue.finish() }
  }

  private func write(_ ending: FinishFileImport) async {
    for attempt in 1...Self.attempts {
      do {
        _ = try await database.write(ending)
        return
      } catch {
        guard attempt < Self.attempts, !Task.isCancelled else {
          logger.warning("the end of an import is not stored", metadata: ["cause": "\(error)"])
          return
        }
        // It throws only the cancellation that ends the service.
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }
}
