import ArgumentParser
import CatalogDomain
import CatalogEvaluation
import CatalogLoading
import CatalogStore
import Environment
import FoundationEssentials
import Glibc
import Logging
import LoopExecutor
import Postgres
import ServiceRuntime

/// `catalog-evaluation search`.
struct EvaluateSearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Measure searches for books, exercises or gyms by judged queries, beside a plain ranking by BM25.",
    usage: """
      catalog-evaluation search --database-url URL [--of books] [--queries FILE] [--books FILE] [--seed N] [--write FILE]
             catalog-evaluation search --database-url URL --of exercises|gyms --queries FILE
      """,
    discussion: """
      A file of queries has comma-separated values; its first line is kind,query,isbns for books, kind,query,ids for others. The ISBNs \
      or ids, separated by spaces, are those of which each is a right first result: of an exercise collection and id (wger:73), of a \
      gym its feature's id. Without the file two hundred queries are made of the books, always the same ones for the same books and \
      seed; --write keeps them in a file.

      The books are those of a file in goodbooks-10k's format, which are put into temporary tables, or else those of the database; \
      exercises and gyms are those of the database. Nothing is stored. More than 100,000 are refused, as the other ranking holds them \
      in memory.

      With --books it is one transaction of a minute or so, which delays the events of every service whose database is on the same \
      server: name a server that nobody works with.

      Exit status: 0 measured, 1 a file or the database cannot be used, 64 wrong usage.
      """)

  @Option(help: "What is searched: books, exercises or gyms.")
  var of = SearchSubject.books

  @Option(help: "The judged queries; - is standard input.")
  var queries: String?

  @Option(help: "The books that are searched, in goodbooks-10k's format.")
  var books: String?

  @Option(help: "Chooses the queries that are made (default: 1).")
  var seed: UInt64?

  @Option(help: "Where to write the queries that were made.")
  var write: String?

  @Option(name: .customLong("database-url"), help: "The catalog's database, as that of `catalog serve`.")
  var databaseURL: String

  func validate() throws {
    guard queries == nil || (write == nil && seed == nil) else {
      throw ValidationError("--write and --seed are for queries that are made, and --queries names a file of them")
    }
    guard of == .books || (queries != nil && books == nil) else {
      throw ValidationError("\(of.rawValue) are those of the database, and their queries those of --queries")
    }
  }

  func run() async throws { print(SearchReport(try await measured(), of: of)) }

  func measured() async throws -> SearchTrial {
    let shelf = try books.map { path in try Self.read(path) { try BooksFile.books($0) } }
    let given = try queries.map { path in try Self.read(path) { try JudgedQueriesFile.queries(of: of, $0) } }
    do {
      try await requireSchema()
      return try await trial(of: shelf, given)
    } catch let error as PostgresError {
      throw StartupError(failure: "the database refused: \(error)")
    } catch let error as SearchTrial.TooMuch {
      throw StartupError(failure: "there are more than \(LoadProgress.grouped(Int(error.limit))) \(of.rawValue)")
    }
  }

  private func requireSchema() async throws {
    let version = try await Migrator.version(url: databaseURL, schema: CatalogSchema.name)
    guard version >= CatalogSchema.migrations.count else {
      throw StartupError(failure: "the schema is at version \(version): run `catalog migrate` first")
    }
  }

  private func trial(of shelf: [ShelvedBook]?, _ given: [JudgedQuery]?) async throws -> SearchTrial {
    let loops = LoopGroup(threads: 1)
    let configuration = DatabaseConfiguration(
      url: databaseURL, applicationName: "catalog-evaluation", schema: CatalogSchema.name)
    let database = try Database(configuration, loops: loops.executors, logger: Logger(label: "catalog"))
    let now = Environment.system.clock.now
    let result: Result<SearchTrial, any Error>
    do {
      switch of {
      case .books:
        let trial = try await database.transaction(pace: .slow) { tx in
          try await SearchTrial(in: tx, shelf: shelf, now: now) { books in try given ?? made(from: books) }
        }
        result = .success(trial)
      case .exercises: result = .success(try await SearchTrial(exercisesOf: database, given ?? []))
      case .gyms: result = .success(try await SearchTrial(gymsOf: database, now: now, given ?? []))
      }
    } catch { result = .failure(error) }
    await database.close()
    try await loops.shutdown()
    return try result.get()
  }

  private func made(from books: [JudgedBook]) throws -> [JudgedQuery] {
    let made = JudgedQueries.made(from: books, seed: seed ?? 1)
    guard let write else { return made }
    do { try Data(JudgedQueriesFile.text(of: made).utf8).write(to: URL(filePath: write)) } catch {
      let reason = strerror(errno).map { ": \(String(cString: $0))" } ?? ""
      throw StartupError(failure: "\(write) cannot be written\(reason)")
    }
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

extension SearchSubject: ExpressibleByArgument {}
