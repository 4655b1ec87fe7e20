import Blocks
import CatalogStore
import Identifiers
import Postgres
import TTRPC
import TandemCatalog
import TandemIdentity
import TestServices
import TestSupport
import Testing

@testable import catalog

@Suite("people who keep each other away", .timeLimit(.minutes(5)))
struct BlockTests {
  @Test(
    "[C-10] two people of whom one blocks the other find neither each other's books nor comments",
    arguments: [(TestUser.ada, TestUser.grace), (TestUser.grace, TestUser.ada)])
  func invisible(blocker: TestUser, blocked: TestUser) async throws {
    try await RunningCatalog.with { catalog in
      let third = TestUser.alan
      let (hers, alans) = (try await catalog.add("Dune of Ada"), try await catalog.add("Dune of Alan", as: third))
      for someone in [TestUser.ada, .grace, third] {
        _ = try await catalog.say("By \(someone.name)", about: alans, as: someone)
      }

      try await catalog.own.write(AddBlocks([Blocks.Block(of: blocked.id, by: blocker.id)]))

      #expect(try await catalog.found("dune", by: .grace) == ["Dune of Alan"])
      #expect(try await catalog.found("dnue", by: .grace) == ["Dune of Alan"], "among similar ones too")
      #expect(try await catalog.found("dune", by: third) == ["Dune of Ada", "Dune of Alan"])
      let refused = [
        try await refusal {
          try await catalog.books.getBook(GetBookRequest(bookID: hers.bookID), TestUser.grace.options)
        },
        try await refusal { try await catalog.say("I see it", about: hers, as: .grace) },
        try await refusal {
          try await catalog.books.listComments(ListCommentsRequest(bookID: hers.bookID), TestUser.grace.options)
        },
        try await refusal {
          try await catalog.books.listBookPhotos(ListBookPhotosRequest(bookID: hers.bookID), TestUser.grace.options)
        },
        // A user who may not see a book does not learn of it by trying to change it either.
        try await refusal {
          try await catalog.books.updateBook(
            UpdateBookRequest(book: Book(bookID: hers.bookID, description: "Mine.")), TestUser.grace.options)
        },
        try await refusal {
          try await catalog.books.deleteBookPhoto(
            DeleteBookPhotoRequest(bookID: hers.bookID, photoID: hers.bookID), TestUser.grace.options)
        },
      ]
      #expect(refused.map(\.reason) == Array(repeating: "BOOK_NOT_FOUND", count: 6))
      #expect(try await catalog.comments(on: alans, by: .ada) == ["By alan", "By ada"])
      #expect(try await catalog.comments(on: alans, by: .grace) == ["By alan", "By grace.h"])
      #expect(try await catalog.comments(on: alans, by: third) == ["By alan", "By grace.h", "By ada"])
    }
  }

  @Test("[C-10] two who block each other see each other again when both have taken it back; told twice, it is the same")
  func bothDirections() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.add("Dune")
      let blocks = [
        Blocks.Block(of: TestUser.grace.id, by: TestUser.ada.id),
        Blocks.Block(of: TestUser.ada.id, by: TestUser.grace.id),
      ]
      for block in blocks + blocks { try await catalog.own.write(AddBlocks([block])) }
      for _ in 0..<2 { try await catalog.own.write(RemoveBlocks([blocks[0]])) }
      #expect(try await catalog.found("dune", by: .grace) == [])
      try await catalog.own.write(RemoveBlocks([blocks[1]]))
      #expect(try await catalog.found("dune", by: .grace) == ["Dune"])
    }
  }

  @Test("[C-9] [C-10] of 24 blocks that are told while somebody leaves none stays")
  func departure() async throws {
    try await RunningCatalog.with { catalog in
      let others = (10..<34).map { TestUser($0, "other") }
      try await withThrowingTaskGroup { group in
        for (number, other) in others.enumerated() {
          let block =
            number.isMultiple(of: 2)
            ? Blocks.Block(of: other.id, by: TestUser.ada.id)
            : Blocks.Block(of: TestUser.ada.id, by: other.id)
          group.addTask {
            try await catalog.inTransaction { tx in try await tx.execute(AddBlocks([block])) }
          }
        }
        group.addTask { try await catalog.forget(.ada) }
        try await group.waitForAll()
      }
      #expect(try await catalog.value("select count(*) from blocks") == "0")
    }
  }

  @Test("[C-10] identity tells who blocks whom, and who took it back")
  func told() async throws {
    try await TestDatabase.with(IdentityAndCatalog.schemas) { database in
      try await IdentityAndCatalog.run(on: database) { suite in
        let (ada, grace) = (try await suite.loggedIn("ada"), try await suite.loggedIn("grace"))
        let book = try await suite.addBook(as: ada)
        let call = GetBookRequest(bookID: book)

        _ = try await suite.safety.blockUser(BlockUserRequest(userID: grace.userID), .token(ada.accessToken))
        let hidden = try await eventually("the block has reached the catalog") {
          do { _ = try await suite.books.getBook(call, .token(grace.accessToken)) } catch let status as Status {
            return status
          }
          return nil
        }
        #expect(hidden.reason == "BOOK_NOT_FOUND")

        _ = try await suite.safety.unblockUser(UnblockUserRequest(userID: grace.userID), .token(ada.accessToken))
        try await eventually("the book is there again") {
          do { return try await suite.books.getBook(call, .token(grace.accessToken)) } catch is Status { return nil }
        }
      }
    }
  }

  @Test("[C-10] a catalog that comes after the news is gone asks identity for all blocks, page by page")
  func rebuilt() async throws {
    try await TestDatabase.with(IdentityAndCatalog.schemas) { database in
      // More than a page; and the catalog has one that identity does not have any more.
      _ = try await Administration.session(database.url) { session in
        try session.run(
          """
          insert into identity.accounts (id, email, email_key, username, password_hash, registered_at, verified_at)
          select ('01900000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, number || '@example.com',
            number || '@example.com', 'person' || number, '$x$y', now(), now()
          from generate_series(1, 251) as number
          """)
        try session.run(
          """
          insert into identity.blocks (blocker_id, blocked_id, blocked_at)
          select one.id, other.id, now() from identity.accounts as one join identity.accounts as other on one.id <> other.id
          where one.username = 'person1'
          """)
        try session.run(
          "insert into catalog.blocks (blocker_id, blocked_id) values (gen_random_uuid(), gen_random_uuid())")
        try session.run("update identity.event_removals set transaction_id = pg_current_xact_id(), id = 1")
      }
      try await IdentityAndCatalog.run(on: database) { suite in
        try await eventually("the catalog has the blocks that identity has, and no others") {
          let counts = "select count(*), count(*) filter (where blocker_id = '\(Self.first)') from catalog.blocks"
          return try await suite.row(counts) == ["250", "250"] ? true : nil
        }
        let grace = try await suite.loggedIn("grace")
        _ = try await suite.safety.blockUser(BlockUserRequest(userID: Self.first), .token(grace.accessToken))
        try await eventually("it follows again") { try await suite.count("blocks") == "251" ? true : nil }
      }
    }
  }

  private static let first = "01900000-0000-7000-8000-000000000001"
}

extension RunningCatalog {
  fileprivate func say(_ text: String, about book: Book, as someone: TestUser) async throws -> TandemCatalog.Comment {
    clock.advance(by: .milliseconds(1))
    return try await books.createComment(
      CreateCommentRequest(bookID: book.bookID, comment: TandemCatalog.Comment(text: text)), someone.options)
  }

  /// The titles that a search finds.
  fileprivate func found(_ query: String, by someone: TestUser) async throws -> [String] {
    try await books.searchBooks(SearchBooksRequest(query: query), someone.options).books.map(\.title).sorted()
  }

  fileprivate func comments(on book: Book, by someone: TestUser) async throws -> [String] {
    try await books.listComments(ListCommentsRequest(bookID: book.bookID), someone.options).comments.map(\.text)
  }
}
