import AccountDeletions
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
import TestServices
import TestSupport

/// A second service of the suite: it stores data of users, and has a method that returns the caller.
struct Keeper: TandemService {
  static let service = ServiceDescription(name: "lending", purpose: "Keeps notes", migrations: migrations)
  static let schema = TestSchema("lending", migrations)

  private static let migrations = [
    EventsSchema.events(version: 1),
    Migration(
      version: 2, name: "notes",
      sql: """
        create table notes (person uuid not null, text text not null);
        create table departures (person uuid not null);
        """),
    EventsSchema.eventsUpkeep(version: 3),
  ]

  static let whoAmI = MethodDescriptor(
    service: "test.v1.Keeper", name: "WhoAmI", kind: .unary, access: .user, idempotent: true)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    ServedService(
      services: [KeeperMethods()], follows: [.accountDeletions([RemoveNotes.self, MarkAccountDeleted.self])])
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

private struct RemoveNotes: AccountDeletionStatement {
  typealias Row = Void
  static let sql = "delete from notes where person = $1"
  static let users = "select person from notes"
  let userID: UserID
  func bind(_ p: inout Parameters) { p.append(userID) }
}

private struct MarkAccountDeleted: AccountDeletionStatement {
  typealias Row = Void
  static let sql = "insert into departures (person) values ($1)"
  static let users = "select person from notes"
  let userID: UserID
  func bind(_ p: inout Parameters) { p.append(userID) }
}

extension RunningService {
  /// Runs `body` with a service that reaches `identity` over TLS.
  static func with<S: TandemService>(
    _ type: S.Type, _ database: TestDatabase, _ certificates: SuiteCertificates, identity: RunningIdentity,
    _ body: @escaping @Sendable (RunningService) async throws -> Void
  ) async throws {
    let arguments = ["--identity-address", "127.0.0.1:\(identity.port)"]
    try await with(type, on: database, clock: identity.clock, certificates: certificates, arguments, body)
  }

  /// The user as the service sees it.
  func caller(_ login: LoginResponse) async throws -> String { try await call(.user(login)) }

  /// The service's refusal of a user; `nil` if it accepts.
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
      logger: .criticalOnly("holder"))
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
  typealias Row = String
  static let sql = "select pg_current_xact_id()::text"
}
