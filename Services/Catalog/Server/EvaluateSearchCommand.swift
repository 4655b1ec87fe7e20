import ArgumentParser
import CatalogDomain
import CatalogHandlers
import CatalogLoading
import CatalogStore
import Environment
import Foundation
import Logging
import LoopExecutor
import Postgres
import ServiceRuntime

/// `catalog evaluate search`.
struct EvaluateSearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Measure searches for books by judged queries, beside a plain ranking by BM25.",
    usage: """
      catalog evaluate search [--queries FILE] [--books FILE] [--seed N] [--write FILE] [--database-url=URL]
      """,
    discussion: """
      A file of queries has comma-separated values; its first line is kind,query,isbns. The ISBNs, separated by spaces, are of the \
      books of which each is a right first result. Without the file two hundred queries are made of the books, always the same \
      ones for the same books and seed; --write keeps them in a file.

      The books are those of a file in goodbooks-10k's format, which are put into temporary tables, or else those of the database. \
      Nothing is stored.

      Exit status: 0 measured, 1 a file or the database cannot be used, 2 wrong usage.
      """)

  @Option(help: "The judged queries; - is standard input.")
  var queries: String?

  @Option(help: "The books that are searched, in goodbooks-10k's format.")
  var books: String?

  @Option(help: "Chooses the queries that are made.")
  var seed: UInt64 = 1

  @Option(help: "Where to write the queries that were made.")
  var write: String?

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Settings as options.", visibility: .hidden))
  var words: [String] = []

  func run() async throws {
    let shelf = try books.map { path in try Self.read(path) { try BooksFile.books($0) } }
    let given = try queries.map { path in try Self.read(path) { try JudgedQueriesFile.queries($0) } }
    let url = try Catalog.databaseSettings(words)[RuntimeSettings.databaseURL]
    let loops = LoopGroup(threads: 1)
    let configuration = DatabaseConfiguration(url: url, applicationName: "catalog evaluate", schema: CatalogSchema.name)
    let database = try Database(configuration, loops: loops.executors, logger: Logger(label: "catalog"))
    let trial: SearchTrial
    do {
      trial = try await database.transaction(pace: .slow) { tx in
        try await SearchTrial(in: tx, shelf: shelf, now: Environment.system.clock.now) { books in
          try given ?? made(from: books)
        }
      }
    } catch let error as PostgresError {
      throw StartupError(failure: "the database refused: \(error)")
    }
    await database.close()
    try await loops.shutdown()
    print(SearchReport(trial))
  }

  private func made(from books: [JudgedBook]) throws -> [JudgedQuery] {
    let made = JudgedQueries.made(from: books, seed: seed)
    if let write { try Data(JudgedQueriesFile.text(of: made).utf8).write(to: URL(filePath: write)) }
    return made
  }

  private static func read<Value>(_ path: String, _ read: (() throws -> [UInt8]?) throws -> Value) throws -> Value {
    do {
      let chunks = try FileChunks(path: path)
      return try read { try chunks.next() }
    } catch let error as UnusableFile {
      throw StartupError(failure: "\(path) cannot be used: \(error.reason)")
    }
  }
}

/// The printed result of an evaluation.
struct SearchReport: CustomStringConvertible {
  let description: String

  init(_ trial: SearchTrial) {
    func line(_ name: String, _ cells: [String]) -> String {
      name.padded(to: 18) + cells.map { $0.padded(to: 10) }.joined()
    }
    let rows = trial.rows.map { row in
      let values = [row.catalog.top1, row.catalog.reciprocalRank, row.baseline.top1, row.baseline.reciprocalRank]
      return line(
        row.kind.rawValue, ["\(row.catalog.queries)"] + values.map { RecommendationReport.decimal($0, 3) })
    }
    let head = line("", ["queries", "top-1", "MRR@10", "BM25", "MRR@10"])
    description = (["\(trial.books) books", head] + rows).joined(separator: "\n")
  }
}
