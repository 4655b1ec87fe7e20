import CatalogLoading
import CatalogSamples
import CatalogStore
import Environment
import Postgres

/// The samples that come with the program, in a database ([CA-5]).
struct SampleCatalog {
  /// How many of each there were.
  struct Removed: Equatable {
    let gyms: Int
    let books: Int
    let ratings: Int
    let workouts: Int
  }

  /// Something else was loaded.
  struct NotEmpty: Error {}

  let connection: BulkConnection

  /// Loads the samples; what an interrupted load has left is completed.
  ///
  /// - Throws: ``NotEmpty``, and nothing is loaded.
  func load() async throws {
    guard try await connection.run(Samples.hasOthers).first?.first == "f" else { throw NotEmpty() }
    var books = Optional(CatalogSamples.books)
    _ = try await BookLoader(.goodbooks, of: Samples.source, report: { _ in }).load(over: connection) { books.take() }
    var ratings = Optional(CatalogSamples.ratings)
    _ = try await RatingLoader(.goodbooks, of: Samples.source, environment: .system, report: { _ in })
      .load(over: connection) { ratings.take() }
    var exercises = Optional(CatalogSamples.exercises)
    _ = try await ExerciseLoader(.tandem, of: .samples, environment: .system, report: { _ in })
      .load(over: connection) { exercises.take() }
    var workouts = Optional(CatalogSamples.workouts)
    _ = try await CuratedLoader(of: .samples, environment: .system, report: { _ in })
      .load(over: connection) { workouts.take() }
    var gyms = Optional(CatalogSamples.gyms)
    _ = try await GymLoader(.osmGeoJSON, of: Samples.source, defaultZone: nil, environment: .system, report: { _ in })
      .load(over: connection) { gyms.take() }
  }

  /// Removes the samples but for their exercises; recommendations are computed anew without their ratings.
  func remove() async throws -> Removed {
    let environment = Environment.system
    try await connection.run("begin")
    let counts = (try await connection.run(Samples.remove).first ?? []).map { $0.flatMap { Int($0) } ?? 0 }
    guard counts.count == 4 else { preconditionFailure("a removal counts four things") }
    if counts[2] > 0 {
      try await connection.schedule(RecommendationJob.afterLoad(at: environment.clock.now), in: environment)
    }
    try await connection.run("commit")
    return Removed(gyms: counts[0], books: counts[1], ratings: counts[2], workouts: counts[3])
  }
}
