import Ambient
import CatalogDomain
import CatalogStore
import Cryptography
import Events
import Foundation
import Identifiers
import IdentityStore
import Logging
import LoopExecutor
import Postgres
import ServiceRuntime
import TTRPC
import TandemCatalog
import TandemIdentity
import TestSupport
import Testing

@testable import catalog
@testable import identity

@Suite("people and their books")
struct PeopleTests {
  @Test("[C-9] who leaves takes their books and comments along, is nobody's borrower, and leaves their id alone")
  func departure() async throws {
    try await RunningCatalog.with { catalog in
      let (mine, theirs) = (try await catalog.add("Mine"), try await catalog.add("Theirs", as: .grace))
      for (book, someone) in [(mine, Someone.grace), (theirs, .ada), (theirs, .grace)] {
        _ = try await catalog.books.createComment(
          CreateCommentRequest(bookID: book.bookID, comment: TandemCatalog.Comment(text: "By \(someone.name)")),
          someone.options)
      }
      try await catalog.lend(theirs, .borrowed, to: .ada)

      try await catalog.forget(.ada)

      #expect(try await catalog.sql("select title, borrower_id from books") == [["Theirs", nil]])
      #expect(try await catalog.sql("select text from comments") == [["By grace.h"]])
      let left = try await catalog.sql(
        "select username, books::text, departed from people where id = '\(Someone.ada.id)'")
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
        return try await books.createComment(call, Someone.ada.options).commentID
      }
      try await catalog.forget(.ada)
      let refused = await writing.refusals()
      #expect(refused.allSatisfy { $0.code == .unauthenticated })
      #expect(try await catalog.value("select count(*) from books where owner_id = '\(Someone.ada.id)'") == "0")
      #expect(try await catalog.value("select count(*) from comments") == "0")
    }
  }

  @Test(
    "[CA-25] [ID-22] [C-9] identity tells the names of owners, new ones too, and who left, to a catalog that knows people by their tokens"
  )
  func followsIdentity() async throws {
    let schemas = [RunningCatalog.schema, TestSchema(IdentitySchema.name, IdentitySchema.migrations)]
    try await TestDatabase.with(schemas) { database in
      try await Suite.run(on: database) { suite in
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

        let call = DeleteAccountRequest(password: Suite.password)
        _ = try await suite.accounts.deleteAccount(call, .token(token))
        #expect(try await eventually { try await suite.count("books") == "0" })
      }
    }
  }
}

extension RunningCatalog {
  /// Does what the consumer of identity's events does about somebody who left.
  fileprivate func forget(_ someone: Someone) async throws {
    try await own.repeatableTransaction { tx in
      for removal in CatalogSchema.removals { try await Self.remove(someone.id.uuid, by: removal, tx) }
    }
  }

  private static func remove<R: PersonRemoval>(_ person: UUID7, by removal: R.Type, _ tx: Transaction) async throws {
    try await tx.execute(R(of: person))
  }
}

/// Identity and the catalog side by side, over TLS.
private struct Suite: Sendable {
  let database: TestDatabase
  let accounts: AccountsClient
  let books: BooksClient
  static let password = "correct-Horse battery 9 staple"
  private static let loops = LoopGroup(threads: 1)

  static func run(on database: TestDatabase, _ body: @escaping @Sendable (Suite) async throws -> Void) async throws {
    let certificates = try SuiteCertificates()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mail-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let mail = ["--mail", "folder:\(folder.path)"]
    try await serve(CheapIdentity.self, "identity", database, certificates, mail) { identity in
      let follows = ["--identity-address", "127.0.0.1:\(identity.port)"]
      try await serve(Catalog.self, "catalog", database, certificates, follows) { catalog in
        try await body(
          Suite(
            database: database, accounts: AccountsClient(identity.client), books: BooksClient(catalog.client)))
      }
    }
  }

  private static func serve<S: TandemService>(
    _ type: S.Type, _ name: String, _ database: TestDatabase, _ certificates: SuiteCertificates, _ more: [String],
    _ body: @escaping @Sendable ((client: RPCClient, port: Int)) async throws -> Void
  ) async throws {
    let settings = try Settings.resolve(
      S.service.allSettings, service: name,
      from: SettingSources(
        arguments: try certificates.settings(of: name) + [
          "--threads", "1", "--database-url", database.url(of: name), "--shutdown-grace", "1s",
          "--seal-key", RunningCatalog.sealKey,
        ] + more))
    let logger = Logger(label: name) { _ in SwiftLogNoOpLogHandler() }
    let host = try await ServiceHost.start(S.self, settings: settings, logger: logger)
    let port = host.rpcAddress.port
    let client = RPCClient(
      host: "127.0.0.1", port: port, security: try certificates.client(of: name), on: loops.executors[0])
    try await withThrowingTaskGroup { group in
      group.addTask { try await host.run() }
      try #require(await host.becameReady, "\(name) did not become ready")
      try await body((client, port))
      await client.close()
      await host.stop()
      try await group.waitForAll()
    }
  }

  /// The access token of somebody new, whose mail nobody reads: the token that would verify them is made here.
  func login(_ name: String) async throws -> String {
    let email = "\(name)@example.com"
    let request = RegisterRequest(email: email, username: name, password: Self.password)
    let account = try await accounts.register(request)
    // Sending the mail replaces the tokens that are there; it is sent once.
    _ = try await eventually("the mail was sent") {
      try await Administration.session(database.url) { session in
        try session.run("select true from identity.email_verifications where account_id = '\(account.userID)'").first
      }
    }
    let token = SecretToken(randomness: SystemRandomness())
    let hash = token.hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    _ = try await Administration.session(database.url) { session in
      try session.run(
        """
        insert into identity.email_verifications (token_hash, account_id, created_at, expires_at)
        values ('\\x\(hash)', '\(account.userID)', now(), now() + interval '1 hour')
        """)
    }
    _ = try await accounts.verifyEmail(VerifyEmailRequest(token: token.text))
    let login = try await accounts.login(LoginRequest(emailOrUsername: email, password: Self.password))
    return login.accessToken
  }

  func count(_ table: String) async throws -> String? {
    try await Administration.session(database.url) {
      try $0.run("select count(*) from catalog.\(table)").first?.first ?? nil
    }
  }
}

/// Identity with passwords that are cheap to check.
private struct CheapIdentity: TandemService {
  static let service = Identity.service

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try Identity.build(runtime, passwords: PasswordHasher(.cheapForTests))
  }
}
