import CatalogDomain
import CatalogStore
import Identifiers
import Jobs
import Logging
import Postgres
import WorkerPool

/// Computes the recommendations from all loans and ratings, in the background: some minutes after the first new one ([CA-28]).
package struct RecommendationRebuild: Sendable {
  private let database: Database
  private let logger: Logger
  /// Runs the computation outside the event loops, one at a time.
  private let pool = BoundedPool(label: "tandem.recommendations", workers: 1, places: 0)

  /// Readings fetched by one query.
  private static let page: Int64 = 10_000
  /// Books stored by one statement.
  private static let stored = 500

  /// - Parameter database: holds the loans and ratings.
  package init(database: Database, logger: Logger) {
    self.database = database
    self.logger = logger
  }

  package var job: JobHandler {
    .outside(.recommendations) { _, _ in try await rebuild() }
  }

  /// Computes and stores the recommendations from the present loans and ratings.
  package func rebuild() async throws {
    guard let run = try await begin() else { preconditionFailure("the runs have a row") }
    let readings = try await readings()
    let began = ContinuousClock.now
    let neighbours = try await pool.run { NeighbourModel.neighbours(in: readings, on: $0) }
    let isStored = try await store(neighbours, run)
    logger.info(
      isStored ? "recommendations are made anew" : "recommendations were made anew by a later run meanwhile",
      metadata: [
        "books": "\(neighbours.count)", "readers": "\(readings.booksOfReaders.count)",
        "took": "\(ContinuousClock.now - began)",
      ])
  }

  private func begin() async throws -> Int64? {
    try await database.repeatableTransaction { tx in try await tx.first(BeginRecommendations()) }
  }

  /// Replaces the stored recommendations; false if a run that began later has done so.
  private func store(_ neighbours: [BookNeighbours], _ run: Int64) async throws -> Bool {
    try await database.repeatableTransaction(pace: .slow) { tx in
      guard try await tx.first(EndRecommendations(run: run)) != nil else { return false }
      try await tx.execute(RemoveNeighbours())
      for start in stride(from: 0, to: neighbours.count, by: Self.stored) {
        let some = neighbours[start..<min(start + Self.stored, neighbours.count)]
        try await tx.execute(InsertNeighbours(Array(some)))
      }
      return true
    }
  }

  /// The readings of the service's users come first, so that those of loaded collections do not take their places.
  private func readings() async throws -> Readings {
    var gathered = ReadingCollector<Reader>()
    try await gatherUsers(&gathered)
    try await gatherCollections(&gathered)
    return gathered.readings
  }

  private func gatherUsers(_ gathered: inout ReadingCollector<Reader>) async throws {
    var last: UsersReadings.Row?
    repeat {
      let rows = try await database.rows(UsersReadings(after: last, limit: Self.page))
      for row in rows { gathered.add(reader: .user(row.userID), book: row.isbn.number, stars: row.stars) }
      last = rows.count == Self.page ? rows.last : nil
    } while last != nil
  }

  /// Stops at the first reader who is not taken: no later one is.
  private func gatherCollections(_ gathered: inout ReadingCollector<Reader>) async throws {
    var last: CollectionReadings.Row?
    repeat {
      let rows = try await database.rows(CollectionReadings(after: last, limit: Self.page))
      for row in rows {
        guard let isbn = row.isbn else { continue }
        let reader = Reader.ofCollection(row.source, row.reader)
        guard gathered.add(reader: reader, book: isbn.number, stars: row.stars) else { return }
      }
      last = rows.count == Self.page ? rows.last : nil
    } while last != nil
  }
}

/// A reader: a user of the service, or one of a loaded collection.
private enum Reader: Hashable, Sendable {
  case user(UserID)
  case ofCollection(String, Int64)
}
