import Ambient
import Events
import GRPCHealth
import Identifiers
import Logging
import LoopExecutor
import Postgres
import ServiceRuntime
import Synchronization
import TTRPC
import TandemIdentity
import TestSupport
import Testing

/// A second service of the suite: it keeps something of people, and has a method that tells users who they are.
struct Keeper: TandemService {
  static let service = ServiceDescription(name: "lending", purpose: "Keeps notes", migrations: migrations)
  static let schema = TestSchema("lending", migrations)

  private static let migrations = [
    EventsSchema.migration(version: 1),
    Migration(
      version: 2, name: "notes",
      sql: """
        create table notes (person uuid not null, text text not null);
        create table departures (person uuid not null);
        """),
  ]

  static let whoAmI = MethodDescriptor(
    service: "test.v1.Keeper", name: "WhoAmI", kind: .unary, access: .user, idempotent: true)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    ServedService(
      services: [KeeperMethods()], follows: [.accountDeletions([RemoveNotes.self, NoteDeparture.self])])
  }
}

private struct KeeperMethods: RPCService {
  static let serviceName = "test.v1.Keeper"

  func register(in router: inout Router) {
    router.unary(Keeper.whoAmI) { (_: HealthCheckRequest, context: CallContext) async throws -> HealthCheckRequest in
      HealthCheckRequest(service: context.caller?.subject ?? "nobody")
    }
  }
}

private struct RemoveNotes: PersonRemoval {
  typealias Row = Void
  static let sql = "delete from notes where person = $1"
  static let people = "select person from notes"
  let person: UUID7
  init(of person: UUID7) { self.person = person }
  func bind(_ p: inout Parameters) { p.append(person) }
}

private struct NoteDeparture: PersonRemoval {
  typealias Row = Void
  static let sql = "insert into departures (person) values ($1)"
  static let people = "select person from notes"
  let person: UUID7
  init(of person: UUID7) { self.person = person }
  func bind(_ p: inout Parameters) { p.append(person) }
}

/// A service beside identity, for one test.
struct RunningService: Sendable {
  let client: RPCClient
  let port: Int

  private static let loops = LoopGroup(threads: 1)

  /// Runs `body` with the service, which reaches `identity` over TLS.
  static func with<S: TandemService>(
    _ type: S.Type, _ name: String, _ database: TestDatabase, _ certificates: SuiteCertificates,
    identity: RunningIdentity, _ body: @escaping @Sendable (RunningService) async throws -> Void
  ) async throws {
    let arguments = ["--identity-address", "127.0.0.1:\(identity.port)"]
    try await with(type, name, database, certificates, clock: identity.clock, arguments, body)
  }

  /// Runs `body` with a service that needs no other.
  ///
  /// - Parameter caller: the service that the client is; `nil` for nobody.
  static func with<S: TandemService>(
    _ type: S.Type, _ name: String, _ database: TestDatabase, _ certificates: SuiteCertificates, clock: ManualClock,
    as caller: String? = nil, _ arguments: [String] = [],
    _ body: @escaping @Sendable (RunningService) async throws -> Void
  ) async throws {
    let settings = try Settings.resolve(
      S.service.allSettings, service: name,
      from: SettingSources(
        arguments: try certificates.settings(of: name) + [
          "--threads", "1", "--database-url", database.url(of: name), "--shutdown-grace", "1s",
        ] + arguments))
    var logger = Logger(label: name) { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .critical
    let ambient = Ambient(clock: clock, randomness: SystemRandomness())
    let host = try await ServiceHost.start(S.self, settings: settings, ambient: ambient, logger: logger)
    let client = RPCClient(
      host: "127.0.0.1", port: host.rpcAddress.port, security: try certificates.client(of: name, as: caller),
      on: loops.executors[0])
    try await withThrowingTaskGroup { group in
      group.addTask { try await host.run() }
      try #require(await host.becameReady, "the service did not become ready")
      try await body(RunningService(client: client, port: host.rpcAddress.port))
      await client.close()
      await host.stop()
      try await group.waitForAll()
    }
  }

  /// Who a person is to the service.
  func caller(_ login: LoginResponse) async throws -> String { try await call(.user(login)) }

  /// How the service refuses a person; `nil` when it does not.
  func refusalOf(_ login: LoginResponse) async throws -> Status? {
    do { _ = try await caller(login) } catch let status as Status { return status }
    return nil
  }

  func call(_ options: CallOptions) async throws -> String {
    let answer: HealthCheckRequest = try await client.call(Keeper.whoAmI, HealthCheckRequest(), options)
    return answer.service
  }
}

/// A transaction that stays open.
struct Holder: Sendable {
  private let url: String

  init(_ url: String) { self.url = url }

  /// Runs `body` while a transaction is open that has a number, and ends it after that.
  func hold(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let (isOpen, mayEnd) = (Gate(), Gate())
    let loops = LoopGroup(threads: 1)
    let database = try Database(
      DatabaseConfiguration(url: url, applicationName: "holder"), loops: loops.executors,
      logger: Logger(label: "holder") { _ in SwiftLogNoOpLogHandler() })
    try await withThrowingTaskGroup { group in
      group.addTask {
        try await database.transaction { tx in
          try await tx.execute(TakeNumber())
          isOpen.open()
          await mayEnd.pass()
        }
      }
      await isOpen.pass()
      defer { mayEnd.open() }
      try await body()
    }
    await database.close()
    try await loops.shutdown()
  }
}

private struct TakeNumber: Statement {
  static let sql = "select pg_current_xact_id()::text"
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> String { try row.next() }
}
