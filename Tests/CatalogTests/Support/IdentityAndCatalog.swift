import Ambient
import Cryptography
import Foundation
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

/// Identity and the catalog side by side, over TLS.
struct IdentityAndCatalog: Sendable {
  let database: TestDatabase
  let accounts: AccountsClient
  let safety: SafetyClient
  let books: BooksClient
  static let password = "correct-Horse battery 9 staple"
  private static let loops = LoopGroup(threads: 1)

  static let schemas = [RunningCatalog.schema, TestSchema(IdentitySchema.name, IdentitySchema.migrations)]

  static func run(
    on database: TestDatabase, _ body: @escaping @Sendable (IdentityAndCatalog) async throws -> Void
  ) async throws {
    let certificates = try SuiteCertificates()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mail-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let mail = ["--mail", "folder:\(folder.path)"]
    try await serve(CheapIdentity.self, "identity", database, certificates, mail) { identity in
      let follows = ["--identity-address", "127.0.0.1:\(identity.port)"]
      try await serve(Catalog.self, "catalog", database, certificates, follows) { catalog in
        try await body(
          IdentityAndCatalog(
            database: database, accounts: AccountsClient(identity.client), safety: SafetyClient(identity.client),
            books: BooksClient(catalog.client)))
      }
    }
  }

  /// Runs `body` with a service of the suite, over TLS.
  static func serve<S: TandemService>(
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

  /// The access token of somebody new.
  func login(_ name: String) async throws -> String { try await loggedIn(name).accessToken }

  /// Logs somebody new in, whose mail nobody reads: the token that would verify them is made here.
  func loggedIn(_ name: String) async throws -> LoginResponse {
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
  func row(_ query: String) async throws -> [String?]? {
    try await Administration.session(database.url) { try $0.run(query).first }
  }
}

/// Identity with passwords that are cheap to check.
private struct CheapIdentity: TandemService {
  static let service = Identity.service

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try Identity.build(runtime, passwords: PasswordHasher(.cheapForTests))
  }
}
