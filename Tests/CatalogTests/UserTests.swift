import AccountDeletions
import CatalogDomain
import CatalogOperations
import CatalogStore
import Events
import Identifiers
import Postgres
import TTRPC
import TandemCatalog
import TandemIdentity
import TestServices
import TestSupport
import Testing

@testable import catalog

@Suite("people and their books")
struct UsersTests {
  @Test("[C-9] who leaves takes their books and comments along, is nobody's borrower, and leaves their id alone")
  func departure() async throws {
    try await RunningCatalog.with { catalog in
      let (mine, theirs) = (try await catalog.add("Mine"), try await catalog.add("Theirs", as: .grace))
      for (book, someone) in [(mine, TestUser.grace), (theirs, .ada), (theirs, .grace)] {
        _ = try await catalog.books.createComment(
          CreateCommentRequest(bookID: book.bookID, comment: TandemCatalog.Comment(text: "By \(someone.name)")),
          someone.options)
      }
      try await catalog.lend(theirs, .borrowed, to: .ada)

      try await catalog.forget(.ada)

      #expect(try await catalog.sql("select title, borrower_id from books") == [["Theirs", nil]])
      #expect(try await catalog.sql("select text from comments") == [["By grace.h"]])
      let left = try await catalog.sql(
        "select username, books::text, deleted from users where id = '\(TestUser.ada.id)'")
      #expect(left == [["", "0", "t"]])
      let refused = try await refusal { try await catalog.add("Too late") }
      #expect(refused.code == .unauthenticated)
    }
  }

  @Test("[C-9] of 24 books and comments that race with a departure none stays behind")
  func race() async throws {
    try await RunningCatalog.with { catalog in
      let book = try await catalog.add("Theirs", as: .grace)
      async let writing = catalog.race(24) { books, number in
        if number.isMultiple(of: 2) { return try await catalog.add("Mine \(number)").bookID }
        let call = CreateCommentRequest(bookID: book.bookID, comment: TandemCatalog.Comment(text: "Mine"))
        return try await books.createComment(call, TestUser.ada.options).commentID
      }
      try await catalog.forget(.ada)
      let refused = await writing.refusals()
      #expect(refused.allSatisfy { $0.code == .unauthenticated })
      #expect(try await catalog.value("select count(*) from books where owner_id = '\(TestUser.ada.id)'") == "0")
      #expect(try await catalog.value("select count(*) from comments") == "0")
    }
  }

  @Test("[C-9] who left is nobody's borrower, whatever lending tells of them meanwhile or afterwards")
  func borrowerRace() async throws {
    try await RunningCatalog.with { catalog in
      var books: [Book] = []
      for number in 0..<24 { books.append(try await catalog.add("\(number)", as: .grace)) }
      let late = books.removeLast()
      try await withThrowingTaskGroup { group in
        for book in books {
          let id = try #require(BookID(book.bookID))
          let told = BookAvailability(id, .borrowed, borrower: "\(TestUser.ada.id)")
          group.addTask {
            try await catalog.inTransaction { tx in
              try await catalog.operations.tell([told], tx)
            }
          }
        }
        group.addTask { try await catalog.forget(.ada) }
        try await group.waitForAll()
      }
      try await catalog.lend(late, .borrowed, to: .ada)
      let shown = try await catalog.sql("select distinct status, borrower_id from books")
      #expect(shown == [["BORROWED", nil]])
    }
  }

  @Test(
    "[CA-25] [ID-22] [C-9] identity tells the names of owners, new ones too, and who left, to a catalog that knows people by their tokens"
  )
  func followsIdentity() async throws {
    try await TestDatabase.with(IdentityAndCatalog.schemas) { database in
      try await IdentityAndCatalog.run(on: database) { suite in
        let token = try await suite.login("ada")
        let added = try await eventually("the catalog accepts the token") {
          do {
            let book = Book(title: "Dune", authors: ["Frank Herbert"], isbn: "9780441172719", description: "Mine")
            return try await suite.books.addBook(AddBookRequest(book: book), .token(token))
          } catch let status as Status where status.code == .unavailable { return nil }
        }
        let read = try await eventually("the owner's name is known") {
          let book = try await suite.books.getBook(GetBookRequest(bookID: added.bookID), .token(token))
          return book.ownerUsername.isEmpty ? nil : book
        }
        #expect(read.ownerUsername == "ada")

        _ = try await suite.accounts.changeUsername(ChangeUsernameRequest(username: "lovelace"), .token(token))
        #expect(
          try await eventually {
            let book = try await suite.books.getBook(GetBookRequest(bookID: added.bookID), .token(token))
            return book.ownerUsername == "lovelace"
          })

        let call = DeleteAccountRequest(password: IdentityAndCatalog.password)
        _ = try await suite.accounts.deleteAccount(call, .token(token))
        #expect(try await eventually { try await suite.count("books") == "0" })
      }
    }
  }
}

extension RunningCatalog {
  /// Runs `body` in a transaction as a consumer does, and repeats it if dozens of a test compete for connections.
  func inTransaction(_ body: @Sendable (Transaction) async throws -> Void) async throws {
    while true {
      do {
        return try await own.repeatableTransaction { tx in try await body(tx) }
      } catch let error as PostgresError where error.isOverloaded {
        // Nothing was done.
        await Task.yield()
      }
    }
  }

  /// Does what the consumer of identity's events does after an account deletion, and waits until nothing is left.
  func forget(_ someone: TestUser) async throws {
    try await begin(toForget: someone)
    try await untilErased()
  }

  /// Does what the consumer of identity's events does after an account deletion.
  func begin(toForget someone: TestUser) async throws {
    try await inTransaction { tx in
      for removal in CatalogSchema.removals { try await Self.remove(someone.id, by: removal, tx) }
    }
  }

  private func untilErased() async throws {
    _ = try await eventually("nothing is left") { try await value("select count(*) from erasures") == "0" ? true : nil }
  }

  private static func remove<R: AccountDeletionStatement>(_ user: UserID, by removal: R.Type, _ tx: Transaction)
    async throws
  {
    try await tx.execute(R(userID: user))
  }
}
