import Environment
import Cryptography
import Foundation
import IdentityStore
import Postgres
import ServiceRuntime
import TTRPC
import TandemCatalog
import TandemIdentity
import TestServices
import TestSupport
import Testing

@testable import catalog
@testable import identity

/// Identity and the catalog side by side, over TLS.
struct IdentityAndCatalog: Sendable {
  let database: TestDatabase
  let accounts: AccountsClient
  let safety: SafetyClient
  let books: BooksClient
  static let password = "correct-Horse battery 9 staple"

  static let schemas = [RunningCatalog.schema, TestSchema(IdentitySchema.name, IdentitySchema.migrations)]

  static func run(
    on database: TestDatabase, _ body: @escaping @Sendable (IdentityAndCatalog) async throws -> Void
  ) async throws {
    let certificates = try SuiteCertificates()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mail-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let mail = ["--mail", "folder:\(folder.path)"]
    try await RunningService.with(CheapIdentity.self, on: database, certificates: certificates, mail) { identity in
      let follows = ["--identity-address", "127.0.0.1:\(identity.port)"]
      try await RunningService.with(Catalog.self, on: database, certificates: certificates, follows) { catalog in
        try await body(
          IdentityAndCatalog(
            database: database, accounts: AccountsClient(identity.client), safety: SafetyClient(identity.client),
            books: BooksClient(catalog.client)))
      }
    }
  }

  /// The access token of a new user.
  func login(_ name: String) async throws -> String { try await loggedIn(name).accessToken }

  /// Logs in a new user without reading mail: the verification token is created here.
  func loggedIn(_ name: String) async throws -> LoginResponse {
    let email = "\(name)@example.com"
    let request = RegisterRequest(email: email, username: name, password: Self.password)
    let account = try await accounts.register(request)
    // Sending the mail replaces the tokens that are there; it is sent once.
    _ = try await eventually("the mail was sent") {
      try await row("select true from identity.email_verifications where account_id = '\(account.userID)'")
    }
    let token = SecretToken(randomness: SystemRandomness())
    let hash = token.hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try await database.sql(
      """
      insert into identity.email_verifications (token_hash, account_id, created_at, expires_at)
      values ('\\x\(hash)', '\(account.userID)', now(), now() + interval '1 hour')
      """)
    _ = try await accounts.verifyEmail(
      VerifyEmailRequest(token: token.text, registrationSecret: account.registrationSecret))
    return try await accounts.login(LoginRequest(emailOrUsername: email, password: Self.password))
  }

  /// Adds a book as soon as the catalog knows the token; returns its id.
  func addBook(as login: LoginResponse) async throws -> String {
    try await eventually("the catalog accepts the token") {
      do {
        let book = Book(title: "Dune", authors: ["Frank Herbert"], isbn: "9780441172719", description: "Mine")
        return try await books.addBook(AddBookRequest(book: book), .token(login.accessToken)).bookID
      } catch let status as Status where status.code == .unavailable { return nil }
    }
  }

  func count(_ table: String) async throws -> String? { try await value("select count(*) from catalog.\(table)") }

  /// The first column of a query's first row.
  func value(_ query: String) async throws -> String? { try await row(query)?.first ?? nil }

  /// The first row of a query that names its schemas.
  func row(_ query: String) async throws -> [String?]? { try await database.sql(query).first }
}

/// Identity with passwords that are cheap to check.
private struct CheapIdentity: TandemService {
  static let service = Identity.service

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try Identity.build(runtime, passwords: PasswordHasher(.cheapForTests))
  }
}
