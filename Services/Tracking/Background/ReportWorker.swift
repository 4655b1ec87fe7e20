import AsyncSignal
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

  /// Reports of one transaction: beyond that it takes longer, and saves no more.
  private static let maxTogether = 1_000
  /// Positions of one transaction, and of one user in it: as many as a report may have.
  private static let (maxPoints, maxPointsOfUser) = (5_000, Report.maxPoints)

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
    await withTaskGroup { group in
      for (number, lane) in ingest.lanes.enumerated() {
        group.addTask(executorPreference: executors[number % executors.count]) {
          await cancelWhenGracefulShutdown { await self.work(lane) }
        }
      }
    }
  }

  private func work(_ lane: ReportIngest.Lane) async {
    for await _ in lane.signal {
      while true {
        let reports = lane.take(Self.maxTogether, points: Self.maxPoints, ofUser: Self.maxPointsOfUser)
        if reports.isEmpty { break }
        await store(reports)
      }
    }
    for report in lane.close() { report.fail(TrackingFailure.stopping) }
  }

  /// Stores reports, and answers them. When a transaction fails for another reason than the database's absence, its halves are tried, so that
  /// one user's fault does not become another's.
  private func store(_ reports: [ReportIngest.Waiting]) async {
    let began = ContinuousClock.now
    do {
      let counts = try await database.repeatableTransaction { tx in try await operations.storeReports(reports, tx) }
      bursts.record(duration: ContinuousClock.now - began)
      sizes.record(reports.count)
      count(reports, counts)
      for (report, count) in zip(reports, counts) { report.answer(count) }
    } catch let error as PostgresError where error.isUnavailable || reports.count == 1 {
      for report in reports { report.fail(error) }
    } catch {
      guard reports.count > 1, !(error is CancellationError) else {
        for report in reports { report.fail(error) }
        return
      }
      await store(Array(reports[..<(reports.count / 2)]))
      await store(Array(reports[(reports.count / 2)...]))
    }
  }

  private func count(_ reports: [ReportIngest.Waiting], _ counts: [Result<ReportCounts, ReportedGroupsRefusal>]) {
    let taken = counts.reduce(0) { $0 + ((try? $1.get().accepted) ?? 0) }
    accepted.increment(by: taken)
    rejected.increment(by: reports.reduce(0) { $0 + $1.report.points.count } - taken)
  }
}
