import ImporterOperations
import ImporterStore
import Logging
import Postgres
import ServiceLifecycle

/// Stores how imports of files ended, which could not be stored at once (`FileImportEndings`).
package struct FileImportEnder: Service {
  private let endings: FileImportEndings
  private let database: Database
  private let logger: Logger

  /// How often one is stored, if the database refuses.
  private static let attempts = 5
  /// How often an import is looked for that is not there, or does not run.
  private static let looks = 2

  package init(_ endings: FileImportEndings, database: Database, logger: Logger) {
    (self.endings, self.database, self.logger) = (endings, database, logger)
  }

  /// Stores what it is given, until the service stops and no import runs any more.
  package func run() async throws {
    await withGracefulShutdownHandler {
      for await ending in endings.waiting { await store(ending) }
    } onGracefulShutdown: {
      endings.stop()
    }
  }

  private func store(_ ending: FinishFileImport) async {
    for attempt in 1...Self.attempts {
      do {
        if try await !database.write(ending).isEmpty { return }
        // It has ended, or is being noted at this moment, by a call that was cancelled meanwhile.
        guard attempt < Self.looks else { return }
      } catch {
        guard attempt < Self.attempts, !Task.isCancelled else {
          logger.warning("the end of an import is not stored", metadata: ["cause": "\(error)"])
          return
        }
      }
      // It throws only the cancellation that ends the service.
      try? await Task.sleep(for: .seconds(1))
    }
  }
}
