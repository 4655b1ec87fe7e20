import Environment
import ArgumentParser
import CatalogStore
import Foundation
import LoopExecutor
import Postgres
import ServiceRuntime
import Synchronization
import TTRPC
import TandemCatalog
import TestServices
import TestSupport
import Testing

@testable import CatalogLoading
@testable import catalog

/// What loads need to run.
private let loadLoops = LoopGroup(threads: 1)

@Suite("loading ratings", .timeLimit(.minutes(5)))
struct LoadRatingsTests {
  private static let header = "user_id,book_id,rating\n"

  @Test("[CA-5] good lines are there, bad ones are named with line and reason, and a second load changes nothing")
  func lines() async throws {
    try await RunningCatalog.with { catalog in
      let file =
        "\u{FEFF}" + Self.header + """
          1,10,5
          1,11,1\r
          1,12
          x,10,5
          -1,10,5
          1,,5
          1,\u{FFFD}\u{0},5
          1,13,0
          1,13,6
          1,13,4.5
          1,13,"4
          1,10,3
          2,"10",4

          """
      let (outcome, bad) = try await catalog.loadRatings(file.utf8)
      let again = try await catalog.loadRatings(file.utf8, chunk: 7).outcome

      #expect(
        bad.map { "\($0.line) \($0.reason)" } == [
          "4 it has 2 fields instead of 3", "5 its user_id is not a whole number",
          "6 its user_id is not a whole number", "7 it has no usable book_id", "8 it has no usable book_id",
          "9 its rating is not from 1 to 5", "10 its rating is not from 1 to 5", "11 its rating is not from 1 to 5",
          "12 a quotation mark stands within a field", "13 reader 1 rated the book 10 on line 2 already",
        ])
      #expect(outcome.records == 13 && outcome.added == 3 && outcome.changed == 0 && outcome.bad == 10)
      #expect(outcome.ofUnknownBooks == 3)
      #expect(again.added == 0 && again.changed == 0 && again.unchanged == 3 && again.bad == 10)
      let rows = try await catalog.sql(
        "select source, reader::text, source_id, stars::text from reader_ratings order by reader, source_id")
      #expect(
        rows == [["goodbooks", "1", "10", "5"], ["goodbooks", "1", "11", "1"], ["goodbooks", "2", "10", "4"]])

      let changed = try await catalog.loadRatings((Self.header + "1,10,2\n").utf8).outcome
      #expect(changed.changed == 1 && changed.added == 0)
      #expect(try await catalog.value("select stars from reader_ratings where source_id = '10' and reader = 1") == "2")
    }
  }

  @Test(
    "[CA-5] a file that is none of the kind is refused as a whole, with the reason",
    arguments: [
      (Array("user,book\n1,2\n".utf8), "its first line does not name the columns user_id, book_id and rating"),
      ([0xFF, 0xFE, 0x75, 0x00], "it is in UTF-16; convert it to UTF-8"),
      ([0x1F, 0x8B, 0x08, 0x00], "it is compressed; unpack it, into this command's standard input for example"),
    ])
  func unusable(bytes: [UInt8], reason: String) async throws {
    try await RunningCatalog.with { (catalog) async throws in
      await #expect(throws: UnusableFile(reason: reason)) { try await catalog.loadRatings(bytes) }
      #expect(try await catalog.value("select count(*) from reader_ratings") == "0")
      #expect(try await catalog.value("select count(*) from jobs where kind = 'rebuild_recommendations'") == "0")
    }
  }

  @Test("[CA-5] a line of 100 MB and text that is not UTF-8 cost their lines alone")
  func longLine() async throws {
    try await RunningCatalog.with { catalog in
      var chunks = 0
      let bad = Mutex<[BadRecord]>([])
      let outcome = try await catalog.bulk { connection in
        try await RatingLoader(
          .goodbooks, environment: .system, report: { record in bad.withLock { $0.append(record) } }
        )
        .load(over: connection) {
          chunks += 1
          switch chunks {
          case 1: return Array((Self.header + "1,10,5\n1,11,").utf8)
          case 2...101: return [UInt8](repeating: UInt8(ascii: "1"), count: 1 << 20)
          case 102: return Array("\n2,1".utf8) + [0xE9] + Array(",4\n3,10,4\n".utf8)
          default: return nil
          }
        }
      }
      #expect(outcome.added == 2 && outcome.bad == 2)
      #expect(
        bad.withLock { $0 }.map { "\($0.line) \($0.reason)" } == [
          "3 it is longer than 1000 bytes", "4 it is not in UTF-8",
        ])
    }
  }

  @Test("[CA-28] what loaded readers liked is recommended: the service makes it anew after the load, by itself")
  func learnt() async throws {
    try await RunningCatalog.with { catalog in
      let isbns = ["9780441172719", "9780441172696", "9780141439587", "9780141439686"]
      for (place, isbn) in isbns.enumerated() {
        try await catalog.sql(
          """
          insert into editions (source, source_id, isbn, titles, authors, year, language)
          values ('goodbooks', '\(place + 1)', \(isbn), array['Book \(place + 1)'], '{}', null, '')
          """)
        try await catalog.add("Book \(place + 1)", isbn: isbn)
      }
      // One half read the first two, the other the last two.
      let lines = (1...40).flatMap { reader in
        (reader.isMultiple(of: 2) ? [1, 2] : [3, 4]).map { "\(reader),\($0),4\n" }
      }
      try await catalog.borrow(.grace, isbns[0], "Book 1")
      let outcome = try await catalog.loadRatings((Self.header + lines.joined()).utf8).outcome
      #expect(outcome.added == 80 && outcome.ofUnknownBooks == 0)

      let found = try await eventually("what is recommended is made anew") {
        let answer = try await catalog.books.recommendBooks(RecommendBooksRequest(), TestUser.grace.options)
        return answer.recommendations.isEmpty ? nil : answer.recommendations
      }
      #expect(found.first?.book?.title == "Book 2" && found.first?.because?.title == "Book 1")
      #expect(Set(found.dropFirst().map { $0.book?.title }) == ["Book 3", "Book 4"])

      // Nothing is new, so nothing is recomputed.
      try await eventually("the job is over") {
        try await catalog.value("select 1 from jobs having count(*) filter (where key = 'load') = 0")
      }
      _ = try await catalog.loadRatings((Self.header + lines.joined()).utf8)
      #expect(try await catalog.value("select count(*) from jobs where key = 'load'") == "0")
    }
  }

  @Test("[CA-5] the command loads the sample, again without a change, and refuses what it cannot read")
  func command() async throws {
    let sample = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Services/Catalog/Samples/ratings.csv").standardizedFileURL.path
    try await RunningCatalog.with { catalog in
      let url = "--database-url=\(catalog.database.url(of: "catalog"))"
      for _ in 0..<2 { try await LoadRatingsCommand.parse([sample, url]).run() }
      #expect(try await catalog.value("select count(*) from reader_ratings") == "226")
      let missing = await #expect(throws: StartupError.self) {
        try await LoadRatingsCommand.parse(["/nowhere/ratings.csv", url]).run()
      }
      #expect(missing?.lines == ["/nowhere/ratings.csv cannot be loaded: no such file or directory"])
    }
    let outcome = RatingLoader.Outcome(
      records: 1_234_567, added: 1_000, changed: 2, unchanged: 3, ofUnknownBooks: 4, bad: 5)
    #expect(
      LoadRatingsCommand.summary(of: outcome)
        == "1,234,567 ratings: 1,000 added, 2 changed, 3 as they were, 5 bad ones skipped; 4 are of books that are not loaded"
    )
  }
}

extension RunningCatalog {
  /// Loads a text of ratings; returns the outcome and the bad lines in their order.
  @discardableResult
  func loadRatings(
    _ text: some Sequence<UInt8>, chunk: Int = 100
  ) async throws -> (outcome: RatingLoader.Outcome, bad: [BadRecord]) {
    let bad = Mutex<[BadRecord]>([])
    let loader = RatingLoader(
      .goodbooks, environment: Environment(clock: clock, randomness: SystemRandomness()),
      report: { record in bad.withLock { $0.append(record) } })
    var rest = Array(text)[...]
    let outcome = try await bulk { connection in
      try await loader.load(over: connection) {
        defer { rest = rest.dropFirst(chunk) }
        return rest.isEmpty ? nil : Array(rest.prefix(chunk))
      }
    }
    return (outcome, bad.withLock { $0.sorted { $0.line < $1.line } })
  }

  /// Runs `body` with a connection such as a load has.
  func bulk<R: Sendable>(_ body: (BulkConnection) async throws -> R) async throws -> R {
    let configuration = DatabaseConfiguration(
      url: database.url(of: "catalog"), applicationName: "load", schema: "catalog")
    return try await BulkConnection.with(configuration, on: loadLoops.executors[0], body)
  }

  /// Does what the consumer of lending's events does, for a copy of any owner.
  func borrow(_ someone: TestUser, _ isbn: String, _ title: String) async throws {
    try await sql(
      """
      insert into users (id) values ('\(someone.id)') on conflict do nothing;
      insert into past_loans (loan_id, borrower_id, isbn, title, borrowed_at)
      values (gen_random_uuid(), '\(someone.id)', \(isbn), '\(title)', now())
      """)
  }
}
