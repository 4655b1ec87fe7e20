import Batches
import Metrics
import Postgres
import ServiceLifecycle
import TrackingDomain
import TrackingOperations

/// Stores reported positions in groups: what arrives while a transaction commits is stored by the next one, so that many reports share one
/// round of statements and one flush of the log. A report is answered once it is durable ([TR-2]).
package final class ReportWorker: Service {
  private let ingest: ReportIngest
  private let operations: TrackerOperations
  private let database: Database
  private let executors: [any TaskExecutor]

  /// Reports of one transaction: beyond that it takes longer, and saves no more. Positions of one, and of one user in it: as many as a report
  /// may have.
  private static let batch = BatchSize(entries: 1_000, weight: 5_000, weightOfUser: Report.maxPoints)

  private let accepted = Counter(label: "tracking_positions_total", dimensions: [("result", "accepted")])
  private let rejected = Counter(label: "tracking_positions_total", dimensions: [("result", "rejected")])
  private let bursts = Metrics.Timer(label: "tracking_report_burst_seconds")
  private let sizes = Recorder(label: "tracking_reports_per_burst")

  /// - Parameter executors: where the lanes are emptied, each on one of them: event loops, on which a statement needs no other thread.
  package init(
    emptying ingest: ReportIngest, operations: TrackerOperations, database: Database, on executors: [any TaskExecutor]
  ) {
    self.ingest = ingest
    self.operations = operations
    self.database = database
    self.executors = executors
  }

  /// Stores what is reported until the service stops.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      await self.ingest.reports.empty(on: self.executors, in: Self.batch) { await self.store($0) }
    }
  }

  /// Stores reports, and answers them. When a transaction fails for another reason than the database's absence, its halves are tried, so that
  /// one user's fault does not become another's.
  private func store(_ reports: [ReportIngest.Waiting]) async {
    let began = ContinuousClock.now
    do {
      let counts = try await database.repeatableTransaction { tx in
        try await operations.storeReports(reports.map(\.entry), tx)
      }
      bursts.record(duration: ContinuousClock.now - began)
      sizes.record(reports.count)
      count(reports, counts)
      for (report, count) in zip(reports, counts) { report.answer(count.mapError { $0 }) }
    } catch let error as PostgresError where error.isUnavailable || reports.count == 1 {
      for report in reports { report.answer(.failure(error)) }
    } catch {
      guard reports.count > 1, !(error is CancellationError) else {
        for report in reports { report.answer(.failure(error)) }
        return
      }
      await store(Array(reports[..<(reports.count / 2)]))
      await store(Array(reports[(reports.count / 2)...]))
    }
  }

  private func count(_ reports: [ReportIngest.Waiting], _ counts: [Result<ReportCounts, ReportedGroupsRefusal>]) {
    let taken = counts.reduce(0) { $0 + ((try? $1.get().accepted) ?? 0) }
    accepted.increment(by: taken)
    rejected.increment(by: reports.reduce(0) { $0 + $1.entry.report.points.count } - taken)
  }
}
