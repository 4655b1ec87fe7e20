import Foundation
import TestSupport
import Testing

@testable import tandem

/// `tandem load defaults` by the built programs, on a database that was migrated and nothing else, as containers have it at first: each
/// service by its own role.
@Suite("tandem load defaults on a fresh database", .ownThreads, .timeLimit(.minutes(5)))
struct FreshDatabaseTests {
  private let cluster: PrivateCluster
  private let scratch: Scratch
  private let environment: [String: String]

  init() throws {
    (cluster, scratch) = (try PrivateCluster.start(), try Scratch())
    var environment = ["TANDEM_DATABASE_URL": cluster.url]
    for service in SuiteService.allCases {
      let name = service.rawValue
      try scratch.write(
        "postgresql://tandem_\(name):secret@\(cluster.address)/postgres\n", to: "\(name)-database-url")
      environment["TANDEM_\(name.uppercased())_DATABASE_URL_FILE"] = "\(scratch.path)/\(name)-database-url"
    }
    self.environment = environment
    let migrated = try Command.tandem(["migrate"], environment: environment).finish()
    try #require(migrated.status == 0, "\(migrated.errors)")
  }

  private func start(_ arguments: String...) throws -> Command {
    try Command.tandem(["load", "defaults", "--home", scratch.path] + arguments, environment: environment)
  }

  /// The lines that count rows.
  private static func rows(_ output: String) -> [Substring] {
    output.split(separator: "\n").filter { $0.contains(" rows") }
  }

  /// Two books, and a city with a street in it.
  private func writeFiles() throws {
    try scratch.write(
      """
      book_id,isbn13,authors,title,original_title,year,language
      1,9780439023481,Suzanne Collins,The Hunger Games,,2008,eng
      2,9780439554930,J.K. Rowling,Harry Potter,,1997,eng

      """, to: "goodbooks.books.csv")
    let places = [
      "2950159\tBerlin\tBerlin\t\t52.52437\t13.41053\tP\tPPLC\tDE\t\t16\t\t\t\t3426354\t\t43\tEurope/Berlin\t2024-09-05",
      "2956206\tAlexanderplatz\tAlexanderplatz\t\t52.52190\t13.41320\tS\tSQR\tDE\t\t16\t\t\t\t0\t\t43\tEurope/Berlin\t2024-09-05",
    ]
    try scratch.write(places.map { $0 + "\n" }.joined(), to: "DE.txt")
  }

  @Test(
    "[CA-5] [CA-20] [LE-8] 31 item 9: it loads what comes with the suite, tells seconds and rows, and names what is missing"
  )
  func samples() throws {
    let loaded = try start().finish()
    #expect(loaded.status == 0, "\(loaded)")
    let lines = loaded.output.split(separator: "\n")
    for service in ["catalog", "lending"] {
      #expect(lines.contains("\(service): samples …"), "\(loaded.output)")
      let took = lines.contains { $0.wholeMatch(of: /(catalog|lending): samples, [0-9.]+ s/) != nil }
      #expect(took, "\(loaded.output)")
    }
    let rows = Self.rows(loaded.output)
    #expect(rows.count == 6 && rows[0] == "gyms: 12 rows" && rows[2] == "curated workouts: 6 rows", "\(rows)")
    #expect(rows[3].hasPrefix("records of real books: 0 rows; every real ISBN is unknown"), "\(rows)")
    #expect(rows[4] == "ratings: 226 rows" && rows[5].hasPrefix("cities: ") && rows[5] != "cities: 0 rows")

    let again = try start().finish()
    #expect(again.status == 0 && Self.rows(again.output) == rows, "\(again)")
  }

  @Test("[CA-5] [CA-20] [LE-8] 31 items 5, 6: files of a folder are loaded too, and once more changes nothing")
  func files() throws {
    try writeFiles()
    let loaded = try start("--from", scratch.path).finish()
    #expect(loaded.status == 0, "\(loaded)")
    let rows = Self.rows(loaded.output)
    #expect(rows[0] == "gyms: 12 rows" && rows[3] == "records of real books: 2 rows", "\(rows)")

    let again = try start("--from", scratch.path).finish()
    #expect(again.status == 0 && Self.rows(again.output) == rows, "\(again)")
    #expect(again.output.contains(" 0 added") && again.errors.contains("nothing was loaded"), "\(again)")
  }

  private static let shared = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/data").standardizedFileURL.path
  private static let hasShared = FileManager.default.fileExists(atPath: shared)

  @Test(
    "[CA-5] [CA-20] 31 item 6: thousands of real editions are loaded by one command",
    .enabled(if: hasShared, "../shared/data is absent"))
  func realRecords() throws {
    let loaded = try start("--from", Self.shared).finish()
    #expect(loaded.status == 0, "\(loaded)")
    let records = try #require(Self.rows(loaded.output).first { $0.hasPrefix("records of real books: ") })
    #expect((records.split(separator: " ").compactMap { Int($0) }.first ?? 0) > 9_000, "\(records)")
  }

  @Test("[CA-5] [LE-8] 31 item 9: a file that cannot be used is named, and the others are loaded")
  func broken() throws {
    try writeFiles()
    try scratch.write("no,header\n", to: "goodbooks.books.csv")
    let loaded = try start("--from", scratch.path).finish()
    #expect(loaded.status == 1 && loaded.errors.contains("goodbooks.books.csv"), "\(loaded)")
    let rows = Self.rows(loaded.output)
    #expect(rows[0] == "gyms: 12 rows" && rows[3].hasPrefix("records of real books: 0 rows"), "\(rows)")
    #expect(loaded.output.contains(" 2 added"), "\(loaded)")

    let refused = try start("--from", "/nowhere").finish()
    #expect(refused.status == 2 && refused.errors.contains("/nowhere is not a folder"), "\(refused)")
  }

  @Test("[CA-5] [LE-8] 31 item 9: two of them at once load everything once")
  func race() throws {
    try writeFiles()
    let loads = try (0..<2).map { _ in try start("--from", scratch.path) }
    let ends = loads.map { $0.finish() }
    // One may find that the other was first; what counts is what is there.
    let last = try start("--from", scratch.path).finish()
    #expect(last.status == 0, "\(ends)")
    let rows = Self.rows(last.output)
    #expect(rows[0] == "gyms: 12 rows" && rows[2] == "curated workouts: 6 rows", "\(rows) \(ends)")
    #expect(rows[3] == "records of real books: 2 rows" && rows[4] == "ratings: 226 rows", "\(rows) \(ends)")
  }
}
