import CatalogDomain
import CatalogEvaluation
import Foundation
import CatalogStore
import Postgres
import ServiceRuntime
import TestSupport
import Testing

@testable import CatalogLoading
@testable import catalog
@testable import catalog_evaluation

/// Searches of public collections, which are not part of the repository.
@Suite("how well searches find", .timeLimit(.minutes(5)))
struct SearchQualityTests {
  private static let here = URL(filePath: #filePath).deletingLastPathComponent()
  private static let data = here.appending(path: "../../../shared/data").standardizedFileURL
  private static let shelf = data.appending(path: "books/goodbooks-10k.books-tidy.csv")
  private static let areCollectionsHere = FileManager.default.fileExists(atPath: shelf.path)

  /// Queries that were written and judged by hand: what a reader would want, whatever the service does.
  private static func judged(_ subject: SearchSubject) throws -> [JudgedQuery] {
    var chunk = Optional([UInt8](try Data(contentsOf: here.appending(path: "Judged/\(subject.rawValue).csv"))))
    return try JudgedQueriesFile.queries(of: subject) { chunk.take() }
  }

  /// Ahead of the baseline in every kind, or level where that is never wrong.
  private func expectAhead(_ trial: SearchTrial, _ subject: SearchSubject) {
    print(SearchReport(trial, of: subject))
    for row in trial.rows {
      let (ours, plain) = (row.catalog, row.baseline)
      #expect(ours.top1 > plain.top1 || plain.top1 == 1 && ours.top1 == 1, "\(row.kind): \(ours), \(plain)")
      #expect(ours.reciprocalRank >= plain.reciprocalRank, "\(row.kind): \(ours), \(plain)")
    }
  }

  /// Runs `body` with a database on a server of its own: an evaluation of a file's books is one transaction, which would delay the
  /// events of all other tests.
  private func withOwnServer(_ body: @escaping @Sendable (TestDatabase) async throws -> Void) async throws {
    let cluster = try PrivateCluster.start()
    defer { #expect(throws: Never.self) { try cluster.stopServer(mode: "immediate") } }
    try await TestDatabase.with([RunningCatalog.schema], at: cluster.url, body)
  }

  private func expectAhead(with queries: [JudgedQuery], in database: TestDatabase) async throws {
    var books = Optional([UInt8](try Data(contentsOf: Self.shelf)))
    let shelf = try BooksFile.books { books.take() }
    try await database.opened(as: "catalog") { own in
      let trial = try await own.transaction(pace: .slow) { tx in
        try await SearchTrial(in: tx, shelf: shelf, now: ManualClock().now) { _ in queries }
      }
      expectAhead(trial, .books)
    }
  }

  @Test(
    "[CA-25] D-5: of 325 queries, of original titles, misspelt authors, initials, joined and split words too, every kind is answered better than by BM25",
    .enabled(if: areCollectionsHere, "the public collections are not here"))
  func books() async throws {
    let queries = try Self.judged(.books)
    #expect(queries.count == 325)
    try await withOwnServer { database in
      try await expectAhead(with: queries, in: database)
    }
  }

  @Test(
    "[CA-25] of two hundred queries made of the books every kind is answered better than by BM25, and nothing is stored",
    .enabled(if: areCollectionsHere, "the public collections are not here"))
  func madeOfBooks() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "queries-\(UUID().uuidString).csv")
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    try await withOwnServer { database in
      let trial = try await EvaluateSearchCommand.parse([
        "--books", Self.shelf.path, "--write", file.path, "--database-url", database.url(of: "catalog"),
      ]).measured()
      var chunk = Optional([UInt8](try Data(contentsOf: file)))
      let queries = try JudgedQueriesFile.queries { chunk.take() }
      #expect(queries.count == JudgedQueries.kinds.count * JudgedQueries.ofKind)
      #expect(trial.rows.reduce(0) { $0 + $1.catalog.queries } == queries.count)
      #expect(trial.misses.allSatisfy { queries.contains($0.query) }, "those of the file are those that were measured")
      expectAhead(trial, .books)
      #expect(
        try await Administration.session(database.url) { try $0.run("select count(*) from catalog.books") } == [["0"]])
    }
  }

  @Test(
    "[CA-10] of queries for exercises judged by hand every kind is answered better than by BM25",
    .enabled(if: areCollectionsHere, "the public collections are not here"))
  func exercises() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      for (file, format) in [
        ("free-exercise-db.exercises.json", ExerciseFormat.freeExerciseDB), ("wger.exercises-en.json", .wger),
      ] {
        let bytes = try Data(contentsOf: Self.data.appending(path: "exercises/\(file)"))
        try await RunningCatalog.load(bytes, format, into: database)
      }
      try await database.opened(as: "catalog") { own in
        expectAhead(try await SearchTrial(exercisesOf: own, try Self.judged(.exercises)), .exercises)
      }
    }
  }

  @Test(
    "[CA-2] of queries for gyms judged by hand every kind is answered better than by BM25",
    .enabled(if: areCollectionsHere, "the public collections are not here"))
  func gyms() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      _ = try await GymLoading.load(
        try Data(contentsOf: Self.data.appending(path: "gyms/sg-gyms-osm.geojson")), into: database)
      try await database.opened(as: "catalog") { own in
        expectAhead(try await SearchTrial(gymsOf: own, now: ManualClock().now, try Self.judged(.gyms)), .gyms)
      }
    }
  }

  @Test("the common words of a shelf are those of its books, not those of the catalog's")
  func commonWords() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      try await database.opened(as: "catalog") { own in
        let rows = try await own.transaction { tx in
          try await tx.execute(ShelfOfRepeatedWord())
          try await tx.execute(FillShelf())
          try await tx.execute(AnalyzeRepeatedWord())
          return try await tx.rows(CommonWords())
        }
        #expect(rows.contains { $0.word == "everywhere" && $0.share > 0.9 && $0.books == 200 })
      }
    }
  }

  @Test("of books whose titles no search takes no queries are made of these, and the others are measured")
  func titlesThatNobodyCanType() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.add("!!!", by: ["???"])
      try await catalog.add((1...25).map { "word\($0)" }.joined(separator: " "), by: ["A Long Name"])
      try await catalog.add("Dune")
      try await EvaluateSearchCommand.parse(["--database-url", catalog.database.url(of: "catalog")]).run()
    }
  }

  @Test("queries are given or made, and those for exercises and gyms are given")
  func usage() {
    let wrong = [
      ["--queries", "a.csv", "--write", "b.csv"], ["--queries", "a.csv", "--seed", "2"], ["--of", "gyms"],
      ["--of", "exercises", "--queries", "a.csv", "--books", "b.csv"],
    ]
    for arguments in wrong {
      #expect(throws: (any Error).self, "\(arguments)") {
        try EvaluateSearchCommand.parse(["--database-url", "postgresql://localhost/none"] + arguments)
      }
    }
  }

  @Test(
    "a file with a query that the service refuses is refused with its line, and a database without the schema is named")
  func clearErrors() async throws {
    var chunk: [UInt8]? = Array("kind,query,ids\nexact name,\"Plank\",wger:1\nexact name,\"!!\",wger:1\n".utf8)
    #expect(throws: UnusableFile(reason: "line 3: the service would refuse the query")) {
      try JudgedQueriesFile.queries(of: .exercises) { chunk.take() }
    }
    try await TestDatabase.with([]) { database in
      let file = Self.here.appending(path: "Judged/gyms.csv").path
      let refused = await #expect(throws: StartupError.self) {
        try await EvaluateSearchCommand.parse([
          "--of", "gyms", "--queries", file, "--database-url", database.url,
        ]).run()
      }
      #expect(refused?.lines.first?.contains("run `catalog migrate` first") == true, "\(String(describing: refused))")
    }
  }
}

private struct ShelfOfRepeatedWord: Statement {
  typealias Row = Void
  static let sql = "create temporary table books (like books including all) on commit drop"
}

private struct FillShelf: Statement {
  typealias Row = Void
  static let sql = """
    insert into books (id, owner_id, isbn, title, authors, description, language, words, names, change, created_at,
      updated_at)
    select gen_random_uuid(), gen_random_uuid(), 9780441172719, 'Title', '{Author}', 'A copy.', '',
      ('everywhere:1A ' || 'word' || number || ':2A')::tsvector, '', number, now(), now()
    from generate_series(1, 200) as number
    """
}

private struct AnalyzeRepeatedWord: Statement {
  typealias Row = Void
  static let sql = "analyze books"
}
