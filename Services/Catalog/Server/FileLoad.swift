import CatalogLoading
import CatalogStore
import LoopExecutor
import Postgres
import ServiceRuntime

/// Shared by the commands that load a file ([CA-5]).
enum FileLoad {
  /// Runs `load` with a connection to the configured database, a progress display, and a function that returns the chunks of the file.
  ///
  /// - Parameters:
  ///   - file: a path; `-` is standard input.
  ///   - words: settings as options.
  /// - Throws: ``StartupError`` with the reason why nothing was loaded.
  static func run<Outcome: Sendable>(
    _ file: String, _ words: [String],
    _ load: (BulkConnection, LoadDisplay, () throws -> [UInt8]?) async throws -> Outcome
  ) async throws -> Outcome {
    do {
      return try await run(words) { connection in
        let chunks = try FileChunks(path: file)
        let display = LoadDisplay(of: chunks.size)
        let outcome = try await load(connection, display) { try chunks.next() }
        display.end()
        return outcome
      }
    } catch let error as UnusableFile {
      throw StartupError(failure: "\(file) cannot be loaded: \(error.reason)")
    }
  }

  /// Runs `load` with a connection to the configured database.
  ///
  /// - Throws: ``StartupError`` with the reason why nothing was loaded; other errors of `load`.
  static func run<Outcome: Sendable>(
    _ words: [String], _ load: (BulkConnection) async throws -> Outcome
  ) async throws -> Outcome {
    let url = try Catalog.databaseSettings(words)[RuntimeSettings.databaseURL]
    let loops = LoopGroup(threads: 1)
    let outcome: Outcome
    do {
      try await requireSchema(url)
      let configuration = DatabaseConfiguration(url: url, applicationName: "catalog load", schema: CatalogSchema.name)
      outcome = try await BulkConnection.with(configuration, on: loops.executors[0], load)
    } catch let error as PostgresError {
      throw StartupError(failure: "the database refused: \(error); nothing was loaded")
    }
    try await loops.shutdown()
    return outcome
  }

  /// - Throws: ``StartupError`` if the database has an older schema.
  static func requireSchema(_ url: String) async throws {
    let version = try await Migrator.version(url: url, schema: CatalogSchema.name)
    guard version >= CatalogSchema.migrations.count else {
      throw StartupError(failure: "the schema is at version \(version): run `catalog migrate` first")
    }
  }
}
