import Blocks
import CatalogBackground
import CatalogDomain
import CatalogStore
import Events
import Identifiers
import Jobs
import Logging
import Postgres
import ServiceRuntime
import TandemCatalog
import TandemEvents
import Testing
import TestServices
import TestSupport
import TTRPC
import Usernames

@testable import catalog

@Suite("recommendations", .timeLimit(.minutes(5)))
struct RecommendationTests {
  @Test("[CA-28] who never borrowed is told so, and who did is recommended what others with the same books borrowed")
  func because() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.library()
      let refused = try await refusal { try await catalog.recommended(to: .grace) }
      #expect(refused.code == .failedPrecondition && refused.reason == "NO_HISTORY")

      try await catalog.borrowed(.grace, "Dune")
      try await catalog.rebuild()

      let found = try await catalog.recommended(to: .grace)
      #expect(found.first?.book?.title == "Dune Messiah" && found.first?.because?.title == "Dune")
      #expect(found.first?.because?.isbn == Shelf.isbn("Dune"))
      #expect(found.map { $0.book?.title } == ["Dune Messiah", "Emma"], "then what many read")
      #expect(found.last?.because == nil)
      let one = try await catalog.books.recommendBooks(RecommendBooksRequest(count: 1), TestUser.grace.options)
      #expect(one.recommendations.count == 1)
      let negative = try await refusal {
        try await catalog.books.recommendBooks(RecommendBooksRequest(count: -1), TestUser.grace.options)
      }
      #expect(negative.fieldReasons == ["COUNT_INVALID"])
    }
  }

  @Test("[CA-28] never a book that they own, borrowed before in whatever copy, or cannot request")
  func requestable() async throws {
    try await RunningCatalog.with { catalog in
      let shelf = try await catalog.library()
      try await catalog.borrowed(.grace, "Dune")
      try await catalog.rebuild()
      let messiah = try #require(shelf["Dune Messiah"])
      func titles() async throws -> [String?] { try await catalog.recommended(to: .grace).map { $0.book?.title } }

      try await catalog.lend(messiah, .requested)
      #expect(try await titles() == ["Dune Messiah", "Emma"])
      for status in [CatalogDomain.BookStatus.accepted, .borrowed] {
        try await catalog.lend(messiah, status, to: TestUser.alan)
        #expect(try await titles() == ["Emma"], "\(status)")
      }
      let other = try await catalog.add("Dune Messiah", isbn: Shelf.isbn("Dune Messiah"), as: TestUser(4, "joan"))
      #expect(try await titles() == ["Dune Messiah", "Emma"], "another copy")
      try await catalog.own.write(AddBlocks([Blocks.Block(of: TestUser.grace.id, by: TestUser(4, "joan").id)]))
      #expect(try await titles() == ["Emma"], "[C-10]")
      try await catalog.own.write(RemoveBlocks([Blocks.Block(of: TestUser.grace.id, by: TestUser(4, "joan").id)]))
      _ = try await catalog.books.deleteBook(DeleteBookRequest(bookID: other.bookID), TestUser(4, "joan").options)
      #expect(try await titles() == ["Emma"])
      try await catalog.lend(messiah, .available)
      let copy = try await catalog.add("Dune Messiah", isbn: Shelf.isbn("Dune Messiah"), as: .grace)
      #expect(try await titles() == ["Emma"], "a copy of their own")
      _ = try await catalog.books.deleteBook(DeleteBookRequest(bookID: copy.bookID), TestUser.grace.options)
      try await catalog.borrowed(.grace, "Dune Messiah")
      #expect(try await titles() == ["Emma"], "borrowed before")
    }
  }

  @Test("[CA-28] lending tells who borrowed what; told again it counts once, and the recommendations are made anew")
  func told() async throws {
    try await TestDatabase.with(CatalogBesideLending.schemas) { database in
      try await CatalogBesideLending.run(on: database) { producer, own in
        for someone in [TestUser.ada, .grace] { try await own.write(NameUsers([Naming(someone.id, someone.name)])) }
        let book: BookID = BookID(UUID7(high: 0x0190_0000_0000_7000, low: 0x9000_0000_0000_0001))
        try await own.repeatableTransaction { tx in
          let change = try await tx.first(NextBookChange(userID: TestUser.ada.id, effect: .adds))
          _ = try await tx.first(try Shelf.insert(book, of: .ada, change: try #require(change)))
        }
        let loan = UUID7(high: 0x0190_0000_0000_7000, low: 0x9000_0000_0000_0002)
        for status in [LendingStatus.accepted, .borrowed, .borrowed, .available] {
          try await producer.tell(status, of: book, loan, to: .grace)
        }
        try await eventually("the loan is there") {
          try await database.value("select 1 from catalog.past_loans")
        }
        // It comes after the repetition.
        try await producer.tell(
          .borrowed, of: book, UUID7(high: 0x0190_0000_0000_7000, low: 0x9000_0000_0000_0003), to: .grace)
        try await eventually("the next loan is there") {
          try await database.value("select 1 from catalog.past_loans having count(*) = 2")
        }
        let jobs = "select count(*) from catalog.jobs where kind = 'rebuild_recommendations'"
        // Two if the clock passes from the time of one job to that of the next meanwhile.
        #expect(["1", "2"].contains(try await database.value(jobs)), "many loans share the work")
      }
    }
  }

  @Test("[CA-28] of 24 tellings of a loan at once one is kept; [C-9] of those that race with a departure none")
  func race() async throws {
    try await RunningCatalog.with { catalog in
      let id = try #require(BookID(try await catalog.add("Dune").bookID))
      let loan = UUID7(high: 0x0190_0000_0000_7000, low: 0x9000_0000_0000_0001)
      func tell(_ loans: [UUID7], to someone: TestUser, meanwhile: @escaping @Sendable () async throws -> Void)
        async throws
      {
        try await withThrowingTaskGroup { group in
          for loan in loans {
            group.addTask {
              try await catalog.inTransaction { tx in
                try await tx.execute(
                  InsertPastLoans([PastLoan(loan, of: id, by: someone.id, at: catalog.clock.now)]))
              }
            }
          }
          group.addTask { try await meanwhile() }
          try await group.waitForAll()
        }
      }
      try await tell(Array(repeating: loan, count: 24), to: .grace) {}
      #expect(try await catalog.value("select count(*) from past_loans") == "1")

      let loans = (2..<26).map { UUID7(high: 0x0190_0000_0000_7000, low: 0x9000_0000_0000_0000 | $0) }
      try await tell(loans, to: .grace) { try await catalog.forget(.grace) }
      #expect(try await catalog.value("select count(*) from past_loans") == "0")
    }
  }
}

/// Books with ISBNs of their own.
private enum Shelf {
  static let titles = ["Dune", "Dune Messiah", "Emma", "Persuasion"]

  static func isbn(_ title: String) -> String {
    ["9780441172719", "9780441172696", "9780141439587", "9780141439686"][titles.firstIndex(of: title) ?? 0]
  }

  static func insert(_ id: BookID, of owner: TestUser, change: Int64) throws -> InsertBook {
    let fields = BookFields(
      title: try #require(Title("Dune")), authors: [try #require(AuthorName("Frank Herbert"))],
      description: try #require(BookDescription("Mine")), year: nil, language: nil)
    return InsertBook(
      bookID: id, ownerID: owner.id, isbn: try #require(ISBN(isbn("Dune"))), fields: fields,
      recordedAs: [], change: change,
      now: ManualClock().now)
  }
}

extension RunningCatalog {
  /// Ada offers four books; of forty readers half read the first two, half the others, and all of them `Emma`.
  @discardableResult
  fileprivate func library() async throws -> [String: Book] {
    var shelf: [String: Book] = [:]
    for title in Shelf.titles.prefix(3) { shelf[title] = try await add(title, isbn: Shelf.isbn(title)) }
    for number in 0..<40 {
      let reader = TestUser(100 + UInt64(number), "reader")
      for title in number.isMultiple(of: 2) ? ["Dune", "Dune Messiah"] : ["Persuasion", "Emma"] {
        try await borrowed(reader, title)
      }
    }
    return shelf
  }

  fileprivate func borrowed(_ someone: TestUser, _ title: String) async throws {
    try await borrow(someone, Shelf.isbn(title), title)
  }

  fileprivate func rebuild() async throws {
    let logger = Logger(label: "catalog") { _ in SwiftLogNoOpLogHandler() }
    try await RecommendationRebuild(database: own, logger: logger).rebuild()
  }

  fileprivate func recommended(to someone: TestUser) async throws -> [Recommendation] {
    try await books.recommendBooks(RecommendBooksRequest(), someone.options).recommendations
  }
}
