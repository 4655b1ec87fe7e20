import Blocks
import CatalogBackground
import CatalogStore
import Events
import Identifiers
import Jobs
import Logging
import Postgres
import TandemCatalog
import Testing
import TestServices
import TestSupport
import TTRPC

@testable import catalog

@Suite("people's ratings", .timeLimit(.minutes(5)))
struct RatingTests {
  @Test(
    "[CA-28] a book is rated by its ISBN, again in place of before; ratings are listed, the latest first, and forgotten"
  )
  func rates() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.know("9780441172719", ["Dune"], by: ["Frank Herbert"], year: 1965, language: "en")
      try await catalog.add("Emma", isbn: "9780141439587")
      try await catalog.borrow(.grace, "9780141439686", "Persuasion")
      let books = catalog.books

      let dune = try await books.rateBook(RateBookRequest(isbn: "0-441-17271-7", stars: 3), TestUser.grace.options)
      #expect(dune.isbn == "9780441172719" && dune.title == "Dune" && dune.stars == 3 && dune.rateTime != nil)
      for (isbn, stars) in [("9780141439587", 1), ("9780141439686", 5), ("9780441172719", 4)] {
        catalog.clock.advance(by: .seconds(1))
        _ = try await books.rateBook(RateBookRequest(isbn: isbn, stars: Int32(stars)), TestUser.grace.options)
      }

      func mine(_ call: ListMyRatingsRequest = ListMyRatingsRequest()) async throws -> ListMyRatingsResponse {
        try await books.listMyRatings(call, TestUser.grace.options)
      }
      #expect(try await mine().ratings.map(\.title) == ["Dune", "Persuasion", "Emma"])
      #expect(try await mine().ratings.map(\.stars) == [4, 5, 1])
      let first = try await mine(ListMyRatingsRequest(pageSize: 2))
      let rest = try await mine(ListMyRatingsRequest(pageSize: 2, pageToken: first.nextPageToken))
      #expect(first.ratings.count == 2 && rest.ratings.map(\.title) == ["Emma"] && rest.nextPageToken.isEmpty)
      let others = try await books.listMyRatings(ListMyRatingsRequest(), TestUser.ada.options)
      #expect(others.ratings.isEmpty, "nobody else sees them")
      #expect(try await catalog.value("select ratings from users where id = '\(TestUser.grace.id)'") == "3")

      _ = try await books.deleteRating(DeleteRatingRequest(isbn: "978-0-14-143958-7"), TestUser.grace.options)
      #expect(try await mine().ratings.map(\.title) == ["Dune", "Persuasion"])
      #expect(try await catalog.value("select ratings from users where id = '\(TestUser.grace.id)'") == "2")
    }
  }

  @Test(
    "[CA-28] [C-2] [C-4] [C-6] what cannot be rated is refused, a repetition counts once, and a rehearsal stores nothing"
  )
  func refusals() async throws {
    try await RunningCatalog.with { catalog in
      let books = catalog.books
      for stars in [0, 6, -1] as [Int32] {
        let refused = try await refusal {
          try await books.rateBook(
            RateBookRequest(isbn: "9780441172718", stars: stars, requestID: "7"), TestUser.grace.options)
        }
        #expect(refused.fieldReasons == ["REQUEST_ID_INVALID", "INVALID_ISBN", "STARS_INVALID"])
      }
      func rate(_ id: String = "", validateOnly: Bool = false) async throws -> BookRating {
        try await books.rateBook(
          RateBookRequest(isbn: "9780441172719", stars: 4, validateOnly: validateOnly, requestID: id),
          TestUser.grace.options)
      }
      func forget() async throws {
        _ = try await books.deleteRating(DeleteRatingRequest(isbn: "9780441172719"), TestUser.grace.options)
      }
      let several = try await refusal {
        try await books.rateBook(RateBookRequest(isbn: "9780441172719", stars: 6), TestUser.grace.options)
      }
      #expect(several.fieldReasons == ["STARS_INVALID", "EDITION_NOT_FOUND"])
      let unknown = try await refusal { try await rate() }
      #expect(unknown.code == .notFound && unknown.reason == "EDITION_NOT_FOUND")
      try await catalog.add("Dune")
      try await catalog.own.write(AddBlocks([Blocks.Block(of: TestUser.grace.id, by: TestUser.ada.id)]))
      let unseen = try await refusal { try await rate() }
      #expect(unseen.reason == "EDITION_NOT_FOUND", "[C-10] what a book of somebody unseen is called is not told")
      try await catalog.own.write(RemoveBlocks([Blocks.Block(of: TestUser.grace.id, by: TestUser.ada.id)]))

      #expect(try await rate(validateOnly: true).title == "Dune")
      #expect(try await catalog.value("select count(*) from book_ratings") == "0")
      let missing = try await refusal { try await forget() }
      #expect(missing.code == .notFound && missing.reason == "RATING_NOT_FOUND")

      let id = "0190a8e2-7c4e-7bbb-8000-00000000abcd"
      let first = try await rate(id)
      try await forget()
      #expect(try await rate(id) == first)
      #expect(try await catalog.value("select count(*) from book_ratings") == "0", "the repetition does nothing")
    }
  }

  @Test(
    "[CA-28] what people liked says what to read next, what they did not says nothing, and nobody is recommended what they rated"
  )
  func because() async throws {
    try await RunningCatalog.with { catalog in
      let library = try await Library(catalog)
      try await library.rate("Dune", 5)
      let refused = try await refusal { try await library.recommended() }
      #expect(refused.reason == "NO_HISTORY", "a rating is no loan")

      try await library.borrow("Persuasion")
      let found = try await library.recommended()
      #expect(Set(found.map { $0.book?.title }) == ["Dune Messiah", "Emma"])
      let (messiah, emma) = (found.first { $0.book?.title == "Dune Messiah" }, found.first { $0.book?.title == "Emma" })
      #expect(messiah?.becauseRated?.title == "Dune" && messiah?.becauseRated?.stars == 5 && messiah?.because == nil)
      #expect(emma?.because?.title == "Persuasion" && emma?.becauseRated == nil)

      try await library.rate("Persuasion", 1)
      let then = try await library.recommended()
      #expect(then.map { $0.book?.title } == ["Dune Messiah", "Emma"], "now merely one that many read")
      #expect(then.last?.because == nil && then.last?.becauseRated == nil)

      try await library.rate("Persuasion", 4)
      let liked = try await library.recommended().first { $0.book?.title == "Emma" }
      #expect(liked?.becauseRated?.title == "Persuasion" && liked?.because == nil, "borrowed and liked is liked")

      try await library.rate("Dune Messiah", 2)
      #expect(try await library.recommended().map { $0.book?.title } == ["Emma"])
    }
  }

  @Test("[CA-28] ratings of people are learnt from as loans are, without anybody's borrowing")
  func learnt() async throws {
    try await RunningCatalog.with { catalog in
      let library = try await Library(catalog, byRating: true)
      try await library.borrow("Dune")
      let found = try await library.recommended()
      #expect(found.first?.book?.title == "Dune Messiah" && found.first?.because?.title == "Dune")
    }
  }

  @Test("[CA-28] of 24 ratings at once no more are kept than a person may have, and each book once")
  func limit() async throws {
    try await RunningCatalog.with { catalog in
      let isbns = (0..<24).map { Library.isbn($0) }
      for (place, isbn) in isbns.enumerated() {
        try await catalog.sql(
          """
          insert into editions (source, source_id, isbn, titles, authors, year, language)
          values ('test', '\(place)', \(isbn), array['Book'], '{}', null, '')
          """)
      }
      try await catalog.sql("update users set ratings = 4995 where id = '\(TestUser.grace.id)'")
      let outcomes = await catalog.race(24) { books, caller in
        try await books.rateBook(RateBookRequest(isbn: isbns[caller], stars: 4), TestUser.grace.options)
      }
      let refused = outcomes.refusals()
      #expect(refused.count == 19)
      #expect(refused.allSatisfy { $0.code == .resourceExhausted && $0.reason == "TOO_MANY_RATINGS" })
      #expect(try await catalog.value("select count(*) from book_ratings") == "5")

      _ = await catalog.race(24) { books, caller in
        try await books.rateBook(
          RateBookRequest(isbn: isbns[0], stars: Int32(caller % 5 + 1)), TestUser.ada.options)
      }
      #expect(try await catalog.value("select ratings from users where id = '\(TestUser.ada.id)'") == "1")
    }
  }

  @Test("[C-9] of 24 ratings that race with a departure none stays, nor any from before")
  func departure() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.add("Dune", as: .grace)
      let call = RateBookRequest(isbn: "9780441172719", stars: 4)
      _ = try await catalog.books.rateBook(call, TestUser.ada.options)
      async let rating = catalog.race(24) { books, _ in try await books.rateBook(call, TestUser.ada.options) }
      try await catalog.forget(.ada)
      let refused = await rating.refusals()
      #expect(refused.allSatisfy { $0.code == .unauthenticated })
      #expect(try await catalog.value("select count(*) from book_ratings") == "0")
      #expect(try await catalog.value("select ratings from users where id = '\(TestUser.ada.id)'") == "0")
    }
  }

  @Test(
    "[CA-28] of twelve makings at once the last that began is what stays, and an earlier one is not stored behind it")
  func runs() async throws {
    try await RunningCatalog.with { catalog in
      let library = try await Library(catalog)
      try await withThrowingTaskGroup { group in
        for _ in 0..<12 { group.addTask { try await library.rebuild() } }
        try await group.waitForAll()
      }
      #expect(try await catalog.value("select stored = begun from recommendation_runs") == "t")
      #expect(try await catalog.value("select count(*) from book_neighbours") == "4")

      let (earlier, later) = (try await catalog.begin(), try await catalog.begin())
      #expect(try await catalog.end(later))
      #expect(try await catalog.end(earlier) == false)
    }
  }
}

/// Four books, of which Ada offers all but the last, and forty readers: half read the first two, half the others.
private struct Library {
  let catalog: RunningCatalog
  private static let titles = ["Dune", "Dune Messiah", "Emma", "Persuasion"]

  /// - Parameter byRating: whether the readers rated the books instead of borrowing them.
  init(_ catalog: RunningCatalog, byRating: Bool = false) async throws {
    self.catalog = catalog
    for (place, title) in Self.titles.enumerated() {
      try await catalog.sql(
        """
        insert into editions (source, source_id, isbn, titles, authors, year, language)
        values ('test', '\(place)', \(Self.isbn(place)), array['\(title)'], '{}', null, '')
        """)
      if place < 3 { try await catalog.add(title, isbn: Self.isbn(place)) }
    }
    for number in 0..<40 {
      let reader = TestUser(100 + UInt64(number), "reader")
      for place in number.isMultiple(of: 2) ? [0, 1] : [2, 3] {
        if byRating {
          let call = RateBookRequest(isbn: Self.isbn(place), stars: Int32(number % 5 + 1))
          _ = try await catalog.books.rateBook(call, reader.options)
        } else {
          try await catalog.borrow(reader, Self.isbn(place), Self.titles[place])
        }
      }
    }
    try await rebuild()
  }

  /// The ISBN of a number.
  static func isbn(_ number: Int) -> String {
    let digits = "9799100000" + (number < 10 ? "0" : "") + "\(number)"
    let sum = zip(digits.utf8, 0...).reduce(0) { $0 + Int($1.0 - 48) * ($1.1.isMultiple(of: 2) ? 1 : 3) }
    return digits + "\((10 - sum % 10) % 10)"
  }

  private func isbn(_ title: String) -> String { Self.isbn(Self.titles.firstIndex(of: title) ?? 0) }

  func rate(_ title: String, _ stars: Int32) async throws {
    _ = try await catalog.books.rateBook(RateBookRequest(isbn: isbn(title), stars: stars), TestUser.grace.options)
  }

  func borrow(_ title: String) async throws { try await catalog.borrow(.grace, isbn(title), title) }

  func recommended() async throws -> [Recommendation] {
    try await catalog.books.recommendBooks(RecommendBooksRequest(), TestUser.grace.options).recommendations
  }

  func rebuild() async throws {
    let logger = Logger(label: "catalog") { _ in SwiftLogNoOpLogHandler() }
    try await RecommendationRebuild(database: catalog.own, logger: logger).rebuild()
  }
}

extension RunningCatalog {
  fileprivate func begin() async throws -> Int64 {
    try #require(try await own.repeatableTransaction { tx in try await tx.first(BeginRecommendations()) })
  }

  fileprivate func end(_ run: Int64) async throws -> Bool {
    try await own.repeatableTransaction { tx in try await tx.first(EndRecommendations(run: run)) != nil }
  }
}
