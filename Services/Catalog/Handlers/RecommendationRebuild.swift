import Ambient
import CatalogDomain
import CatalogStore
import Cryptography
import Identifiers
import Jobs
import Logging
import Postgres

/// Makes the recommendations anew from all past loans, in the background: some minutes after the first loan that they do not know ([CA-28]).
package struct RecommendationRebuild: Sendable {
  private let database: Database
  private let logger: Logger
  /// Holds up no event loop and runs once at a time.
  private let pool = BoundedPool(label: "tandem.recommendations", workers: 1, places: 0)

  /// How long the recommendations may lack a loan: many share the work of making them.
  private static let delay: Duration = .seconds(600)
  /// Readings that are fetched at a time.
  private static let page: Int64 = 10_000
  /// Books that are stored by one statement.
  private static let stored = 500

  private static let kind = {
    var limits = JobLimits()
    // Ten times what 10,000 books take.
    (limits.duration, limits.atOnce) = (.seconds(600), 1)
    return JobKind<String>("rebuild_recommendations", limits)
  }()

  /// Over the past loans of `database`.
  package init(database: Database, logger: Logger) {
    self.database = database
    self.logger = logger
  }

  /// Runs the job.
  package var job: JobHandler {
    .outside(Self.kind) { _, _ in try await rebuild() }
  }

  /// Has the recommendations made anew, as soon as enough may have changed, if the transaction commits.
  package static func schedule(with jobs: Jobs, in tx: Transaction) async throws {
    let job = Job(kind, "", at: jobs.ambient.clock.now + delay, key: "all", ifScheduled: .isKept)
    try await tx.schedule(job, with: jobs)
  }

  /// Makes them from what is there now.
  package func rebuild() async throws {
    let readings = try await readings()
    let began = ContinuousClock.now
    let neighbours = try await pool.run { NeighbourModel.neighbours(in: readings) }
    try await database.repeatableTransaction { tx in
      try await tx.execute(RemoveNeighbours())
      for start in stride(from: 0, to: neighbours.count, by: Self.stored) {
        let some = neighbours[start..<min(start + Self.stored, neighbours.count)]
        try await tx.execute(InsertNeighbours(Array(some)))
      }
    }
    logger.info(
      "recommendations are made anew",
      metadata: ["books": "\(neighbours.count)", "took": "\(ContinuousClock.now - began)"])
  }

  private func readings() async throws -> Readings {
    var gathered = ReadingCollector<PersonID>()
    var last: PastReadings.Row?
    while true {
      let rows = try await database.rows(PastReadings(after: last, limit: Self.page))
      for row in rows { gathered.add(reader: row.borrower, book: row.isbn) }
      guard rows.count == Self.page else { return gathered.readings }
      last = rows.last
    }
  }
}
