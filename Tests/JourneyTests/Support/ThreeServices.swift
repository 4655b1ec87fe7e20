import Environment
import CatalogStore
import Cryptography
import Foundation
import Identifiers
import IdentityStore
import LendingStore
import Postgres
import ServiceRuntime
import TTRPC
import TTRPCClient
import TandemCatalog
import TandemIdentity
import TandemLending
import TandemNotification
import TestServices
import TestSupport
import Testing

@testable import catalog
@testable import identity
@testable import lending

/// Identity, the catalog and lending side by side, over TLS, as they are deployed.
struct ThreeServices: Sendable {
  let database: TestDatabase
  let identity: RPCClient
  let catalog: RPCClient
  let lending: RPCClient
  /// How long users repeat a call: longer than any machine needs that does not run everything at once.
  var patience = Duration.seconds(120)

  var accounts: AccountsClient { AccountsClient(identity) }
  var safety: SafetyClient { SafetyClient(identity) }
  var notifications: NotificationsClient { NotificationsClient(identity) }
  var books: BooksClient { BooksClient(catalog) }
  var loans: LoansClient { LoansClient(lending) }

  static let password = "correct-Horse battery 9 staple"
  static let place = Pickup(place: .point(Point(latitude: 51.53, longitude: -0.127)))
  static let schemas = [
    TestSchema(IdentitySchema.name, IdentitySchema.migrations),
    TestSchema(CatalogSchema.name, CatalogSchema.migrations),
    TestSchema(LendingSchema.name, LendingSchema.migrations),
  ]

  /// Runs `body` with the three on a database of its own.
  static func with(_ body: @escaping @Sendable (ThreeServices) async throws -> Void) async throws {
    try await TestDatabase.with(schemas) { database in try await run(on: database, body) }
  }

  /// Runs `body` with the three, which end with it.
  static func run(
    on database: TestDatabase, _ body: @escaping @Sendable (ThreeServices) async throws -> Void
  ) async throws {
    try await run(on: database, try SuiteCertificates()) { three, _ in try await body(three) }
  }

  /// Runs `body` with the three, and with the settings for the addresses of all services.
  ///
  /// - Parameter others: the ports of services that `body` starts.
  static func run(
    on database: TestDatabase, _ certificates: SuiteCertificates, besides others: [String: Int] = [:],
    _ body: @escaping @Sendable (ThreeServices, _ addresses: [String]) async throws -> Void
  ) async throws {
    // Each follows the others, so each has to know a port before the others have theirs.
    let ports = ["identity": try FreePort.take(), "catalog": try FreePort.take(), "lending": try FreePort.take()]
    let addresses = ports.merging(others) { own, _ in own }.flatMap {
      ["--\($0.key)-address", "127.0.0.1:\($0.value)"]
    }
    @Sendable func start<S: TandemService>(
      _ type: S.Type, _ more: [String] = [],
      _ body: @escaping @Sendable (RPCClient) async throws -> Void
    ) async throws {
      let listen = ["--listen", "127.0.0.1:\(ports[S.service.name] ?? 0)"]
      try await RunningService.with(type, on: database, certificates: certificates, listen + addresses + more) {
        try await body($0.client)
      }
    }
    try await withMail { mail in
      try await start(CheapIdentity.self, mail) { identity in
        try await start(Catalog.self) { catalog in
          try await start(Lending.self, ["--jobs-look-interval", "250ms"]) { lending in
            try await body(
              ThreeServices(database: database, identity: identity, catalog: catalog, lending: lending), addresses)
          }
        }
      }
    }
  }

  /// Runs `body` with identity alone: the other two are down.
  static func runIdentity(
    on database: TestDatabase, _ body: @escaping @Sendable (AccountsClient) async throws -> Void
  ) async throws {
    try await withMail { mail in
      try await RunningService.with(CheapIdentity.self, on: database, certificates: try SuiteCertificates(), mail) {
        try await body(AccountsClient($0.client))
      }
    }
  }

  /// Provides settings by which mail goes into a folder of its own, which is removed in the end.
  private static func withMail(_ body: ([String]) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mail-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(["--mail", "folder:\(folder.path)"])
  }

  // MARK: Users

  /// A logged-in user.
  struct Member: Sendable {
    let id: String
    let name: String
    let token: String

    /// As this user.
    var options: CallOptions { .token(token, timeout: .seconds(60)) }
  }

  /// Registers and verifies a user without reading mail: the verification token is created here.
  func join(_ name: String) async throws -> Member {
    let email = "\(name)@example.com"
    let account = try await accounts.register(
      RegisterRequest(email: email, username: name, password: Self.password))
    // Sending the mail replaces the tokens that are there; it is sent once.
    _ = try await patiently("the mail was sent") {
      try await sql("select true from identity.email_verifications where account_id = '\(account.userID)'").first
    }
    let token = SecretToken(randomness: SystemRandomness())
    let hash = token.hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try await sql(
      """
      insert into identity.email_verifications (token_hash, account_id, created_at, expires_at)
      values ('\\x\(hash)', '\(account.userID)', now(), now() + interval '1 hour')
      """)
    _ = try await accounts.verifyEmail(
      VerifyEmailRequest(token: token.text, registrationSecret: account.registrationSecret))
    let login = try await accounts.login(LoginRequest(emailOrUsername: email, password: Self.password))
    return Member(id: account.userID, name: name, token: login.accessToken)
  }

  /// Adds a book, repeating the call until the catalog knows the token.
  func add(_ title: String, isbn: String = "9780441172719", as owner: Member) async throws -> Book {
    let book = Book(title: title, authors: ["Frank Herbert"], isbn: isbn, description: "Mine")
    return try await patiently("the catalog accepts the token") {
      do {
        return try await books.addBook(AddBookRequest(book: book, titleConfirmed: true), owner.options)
      } catch let status as Status where status.code == .unavailable { return nil }
    }
  }

  /// Polls until `look` returns a value, for as long as users are patient.
  ///
  /// - Throws: errors of `look`; a failure of the test that says `what` did not happen.
  func patiently<Found>(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ look: () async throws -> Found?
  ) async throws -> Found {
    // Each look may be a session of the database, so not too often.
    try await eventually(
      what, within: patience, every: .milliseconds(20), look, sourceLocation: sourceLocation)
  }

  /// Requests a book, repeating the call until lending knows the token.
  func request(_ book: Book, as borrower: Member) async throws -> Loan {
    try await eventually("lending accepts the token") {
      do {
        return try await loans.requestBook(RequestBookRequest(bookID: book.bookID), borrower.options)
      } catch let status as Status where status.code == .unavailable { return nil }
    }
  }

  /// The notifications in a user's inbox, the oldest first.
  func inbox(of member: Member) async throws -> [String] {
    try await notifications.listNotifications(ListNotificationsRequest(), member.options).notifications
      .filter { $0.kind != .welcome }
      .map(\.title).reversed()
  }

  /// The rows of a query, as text.
  @discardableResult
  func sql(_ text: String) async throws -> [[String?]] { try await database.sql(text) }

  /// The first column of a query's only row.
  func value(_ text: String) async throws -> String? { try await sql(text).first?.first ?? nil }
}

/// Identity with passwords that are cheap to check.
struct CheapIdentity: TandemService {
  static let service = Identity.service

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try Identity.build(runtime, passwords: PasswordHasher(.cheapForTests))
  }
}
