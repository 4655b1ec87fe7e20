import ImporterStore
import Logging
import Synchronization

/// How imports of files ended that could not store it themselves: a task that was cancelled, because its call had ended, can ask the
/// database for nothing any more. A worker stores them (`FileImportEnder`).
package final class FileImportEndings: Sendable {
  private struct State {
    /// Imports that may still give an ending.
    var open = 0
    var isStopping = false

    var isOver: Bool { isStopping && open == 0 }
  }

  /// Those that wait; it ends after ``stop()``, once no import runs any more.
  package let waiting: AsyncStream<FinishFileImport>
  private let queue: AsyncStream<FinishFileImport>.Continuation
  private let state = Mutex(State())
  private let logger: Logger

  /// Endings that may wait, while the database is away; what is more is shown as interrupted later.
  private static let maxCount = 1_000

  package init(logger: Logger) {
    self.logger = logger
    (waiting, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maxCount))
  }

  /// Runs an import: when the service stops, its ending is waited for.
  package func awaited(_ body: () async throws -> Void) async throws {
    state.withLock { $0.open += 1 }
    defer { finish { $0.open -= 1 } }
    try await body()
  }

  /// Stores one soon.
  func store(_ ending: FinishFileImport) {
    if case .enqueued = queue.yield(ending) { return }
    logger.warning("the end of an import is not stored", metadata: ["cause": "too many wait"])
  }

  /// Has ``waiting`` end once no import runs any more.
  package func stop() { finish { $0.isStopping = true } }

  private func finish(_ change: (inout State) -> Void) {
    let isOver = state.withLock { state in
      change(&state)
      return state.isOver
    }
    if isOver { queue.finish() }
  }
}
