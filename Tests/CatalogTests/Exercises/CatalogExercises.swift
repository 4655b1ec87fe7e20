import Environment
import CatalogDomain
import Foundation
import LoopExecutor
import Postgres
import Synchronization
import TandemCatalog
import TestSupport

@testable import CatalogLoading

extension RunningCatalog {
  var exercises: ExercisesClient { ExercisesClient(client) }
  var workouts: WorkoutsClient { WorkoutsClient(client) }

  private static let loadingLoops = LoopGroup(threads: 1)
  static let samples = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Services/Catalog/Samples").standardizedFileURL

  /// Loads a text in chunks; returns the outcome and the bad records in the order of their lines.
  @discardableResult
  static func load(
    _ text: some Sequence<UInt8>, _ format: ExerciseFormat, into database: TestDatabase, chunk: Int = 1 << 16
  ) async throws -> (outcome: ExerciseLoader.Outcome, bad: [String]) {
    let bad = Mutex<[BadRecord]>([])
    let loader = ExerciseLoader(format, environment: .system, report: { record in bad.withLock { $0.append(record) } })
    let outcome = try await loading(text, into: database, chunk) { connection, next in
      try await loader.load(over: connection, next)
    }
    return (outcome, bad.withLock { $0.sorted { $0.line < $1.line }.map { "\($0.line) \($0.reason)" } })
  }

  /// Loads a text of curated workouts.
  @discardableResult
  static func loadCurated(
    _ text: some Sequence<UInt8>, into database: TestDatabase
  ) async throws -> (outcome: LoadOutcome, bad: [String]) {
    let bad = Mutex<[BadRecord]>([])
    let loader = CuratedLoader(environment: .system, report: { record in bad.withLock { $0.append(record) } })
    let outcome = try await loading(text, into: database, 1_000) { connection, next in
      try await loader.load(over: connection, next)
    }
    return (outcome, bad.withLock { $0.map { "\($0.line) \($0.reason)" } })
  }

  private static func loading<Outcome: Sendable>(
    _ text: some Sequence<UInt8>, into database: TestDatabase, _ chunk: Int,
    _ load: (BulkConnection, () throws -> [UInt8]?) async throws -> Outcome
  ) async throws -> Outcome {
    let configuration = DatabaseConfiguration(
      url: database.url(of: "catalog"), applicationName: "load", schema: "catalog")
    var rest = Array(text)[...]
    return try await BulkConnection.with(configuration, on: loadingLoops.executors[0]) { connection in
      try await load(connection) {
        defer { rest = rest.dropFirst(chunk) }
        return rest.isEmpty ? nil : Array(rest.prefix(chunk))
      }
    }
  }

  /// Runs `body` with a service that knows the sample exercises.
  static func withExercises(_ body: @escaping @Sendable (RunningCatalog) async throws -> Void) async throws {
    try await with { catalog in
      try await load(Data(contentsOf: samples.appending(path: "exercises.json")), .tandem, into: catalog.database)
      try await body(catalog)
    }
  }

  /// The id of a sample exercise.
  func exercise(_ sourceID: String) async throws -> String {
    try await value(
      "select exercise_id from exercise_records where source = 'tandem' and source_id = '\(sourceID)'") ?? ""
  }
}
