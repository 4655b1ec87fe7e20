import CatalogOperations
import Logging
import PeriodicTask
import ServiceLifecycle

/// Reads every five minutes how common words are.
package struct TermStatisticsReading: Service {
  private static let interval: Duration = .seconds(300)

  private let statistics: TermStatistics
  private let logger: Logger

  package init(_ statistics: TermStatistics, logger: Logger) {
    self.statistics = statistics
    self.logger = logger
  }

  package func run() async throws {
    await repeatUntilShutdown(every: Self.interval, logger, "term statistics could not be read") { _ in
      try await statistics.refresh()
    }
  }
}
