import Identifiers
import ImporterDomain
import ImporterStore
import Postgres

/// Activities of a long file wait in the database until it is read to its end, so that no memory grows with its length.
extension ActivityOperations {
  /// Makes activities of an import of a file ready to be stored, and stages them; of two with one id the later one counts.
  ///
  /// - Throws: `HeavyWork.Overloaded`; ``ImportGone`` once the import was deleted with the account.
  func stage(
    _ activities: [ImportedActivity], of user: UserID, by importID: ImportID, in database: Database
  ) async throws {
    for part in Self.parts(activities) {
      let reports = try await work.run(for: user) { thread in part.compactMap { Report(of: $0, on: thread) } }
      guard !reports.isEmpty else { continue }
      let now = environment.clock.now
      do {
        try await database.transaction { tx in
          _ = try await tx.rows(each: reports.map { StageReport($0, by: importID, now: now) })
        }
      } catch let error as PostgresError where error.constraint == ImportGone.constraint { throw ImportGone() }
    }
  }
}

/// The import whose activities are staged does not exist any more.
struct ImportGone: Error {
  fileprivate static let constraint = "staged_reports_import_fkey"
}

/// The reports of a batch in the order of their starts, some at a time.
struct ReportParts {
  private let batch: PreparedBatch
  /// Of the batch's own reports, how many there were.
  private var count = 0
  /// The last one that was staged.
  private var last: StagedReports.Row?
  private var isOver = false

  /// Bounds what is in memory, also of other sources that may report the same outings.
  private static let size = 100
  /// Before any activity that can be stored.
  private static let earliest = Instant(microseconds: -62_135_596_800_000_000)

  init(of batch: PreparedBatch) { self.batch = batch }

  /// The next ones; `nil` behind the last.
  mutating func next(for user: UserID, by work: HeavyWork, _ tx: Transaction) async throws -> [Report]? {
    guard !isOver else { return nil }
    guard let staged = batch.staged else {
      let part = Array(batch.reports.dropFirst(count).prefix(Self.size))
      count += part.count
      isOver = part.isEmpty
      return isOver ? nil : part
    }
    let rows = try await tx.rows(
      StagedReports(
        importID: staged, after: last?.figure.startedAt ?? Self.earliest, afterProvider: last?.provider ?? "",
        afterExternalID: last?.externalID ?? "", limit: Int64(Self.size)))
    last = rows.last
    isOver = rows.count < Self.size
    guard !rows.isEmpty else { return nil }
    return try await work.run(for: user) { rows.map { Report($0) } }
  }
}

extension StageReport {
  init(_ report: Report, by importID: ImportID, now: Instant) {
    let (activity, figures) = (report.activity, report.figures)
    self.init(
      importID: importID, provider: activity.provider, externalID: activity.externalID, digest: report.digest,
      sport: activity.sport, startedAt: activity.startedAt, timeZone: activity.timeZone,
      durationS: activity.durationSeconds, movingS: activity.movingSeconds, distanceM: activity.distanceMetres,
      energyKcal: activity.energyKilocalories, heartRateAvgBpm: activity.heartRateAverage,
      heartRateMaxBpm: activity.heartRateMaximum, ascentM: activity.ascentMetres,
      elevationSource: activity.elevationSource, title: activity.title, device: activity.device,
      positionCount: Int32(figures.positionCount), sampleCount: Int32(figures.sampleCount), trace: report.trace,
      outline: report.outline, track: report.track, raw: activity.raw,
      effortDistancesM: report.efforts.map(\.distance), effortDurationsS: report.efforts.map(\.time), now: now)
  }
}
