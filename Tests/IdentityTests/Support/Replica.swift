import Environment
import Cryptography
import IdentityBackground
import IdentityDomain
import IdentityHandlers
import IdentityOperations
import IdentityMail
import IdentityPush
import IdentityStore
import Identifiers
import Live
import Logging
import LoopExecutor
import Postgres
import TandemIdentity
import TestSupport
import Testing

/// Another replica of the service that consumes events: it stores notifications, and sends nothing itself.
struct Replica: Sendable {
  let database: Database
  let notifier: Notifier

  private static let loops = LoopGroup(threads: 1)

  /// Runs `body` beside a service.
  static func with(_ identity: RunningIdentity, _ body: @Sendable (Replica) async throws -> Void) async throws {
    var configuration = DatabaseConfiguration(
      url: identity.database.url(of: "identity"), applicationName: "replica", schema: "identity")
    configuration.timeout = .seconds(30)
    configuration.leaseTimeout = .seconds(30)
    configuration.statementTimeout = .seconds(60)
    configuration.transactionsPerLoop = 8
    var logger = Logger(label: "replica")
    logger.logLevel = .critical
    let database = try Database(configuration, loops: loops.executors, logger: logger)
    let bus = try PostgresBus(
      DatabaseConfiguration(url: identity.database.url(of: "identity"), applicationName: "replica live"),
      on: loops.executors[0], randomness: SystemRandomness(), logger: logger)
    let replica = Replica(database: database, notifier: try notifier(database, bus, identity.clock, logger))
    let result: Result<Void, any Error> = await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await bus.run() }
      defer { group.cancelAll() }
      do { return .success(try await body(replica)) } catch { return .failure(error) }
    }
    await database.close()
    try result.get()
  }

  private static func notifier(
    _ database: Database, _ bus: any LiveBus, _ clock: ManualClock, _ logger: Logger
  ) throws -> Notifier {
    let seal = Seal(current: try #require(SealKey(line: RunningIdentity.sealKey)))
    let delivery = NotificationDelivery(
      database: database, mailer: Unused(), pushGateway: Unused(),
      letters: Letters(
        verifyURL: "https://unused.example", resetURL: "https://unused.example",
        emailChangeURL: "https://unused.example", emailUndoURL: "https://unused.example", unsubscribeURL: nil,
        seal: seal),
      pushTokens: PushTokens(seal: seal), inboxes: InboxSignalling(live: bus),
      environment: Environment(clock: clock, randomness: SystemRandomness()), logger: logger)
    return delivery.notifier
  }

  /// Stores a notification in a transaction of its own.
  func tell(_ notices: Notice...) async throws {
    try await database.transaction { tx in try await notifier.notify(notices, in: tx) }
  }
}

/// Sends nothing: a replica's parts that are not run.
private struct Unused: Mailer, PushGateway {
  func send(_ mail: Mail) async throws(MailFailure) { throw .temporary("unused") }
  func send(_ push: Push) async throws(PushFailure) { throw .temporary("unused", retryAfter: nil) }
}

extension Notice {
  /// A request for a book.
  static func request(
    _ title: String = "Dune", to login: LoginResponse, by asking: LoginResponse? = nil, because source: String
  ) throws -> Notice {
    try request(title, to: login.userID, by: asking, because: source)
  }

  /// A request for a book.
  ///
  /// - Parameter asking: `nil` for a user who has deleted the account since.
  static func request(
    _ title: String = "Dune", to userID: String, by asking: LoginResponse? = nil, because source: String
  ) throws -> Notice {
    Notice(
      .bookRequested(title: title, by: try #require(UserID(asking?.userID ?? someID(0)))),
      to: try #require(UserID(userID)),
      because: try #require(SourceKey(source)), about: "books/1")
  }
}

extension Notice {
  /// An alert of a user of that number: urgent, and of no user whose notices are gathered.
  static func urgent(_ number: Int, to userID: String) throws -> Notice {
    Notice(
      .sosStarted(name: UserID(UUID7(high: 0, low: UInt64(number)))), to: try #require(UserID(userID)),
      because: try #require(SourceKey("sos/\(number)")), about: "")
  }
}
