import ArgumentParser
import Events
import Expiry
import Idempotency
import LendingBackground
import LendingConsumers
import LendingHandlers
import LendingOperations
import LendingStore
import ServiceRuntime
import TTRPC
import TandemLending

/// The `lending` executable: requests and loans of users' books.
@main
struct Lending: TandemService {
  static let service = ServiceDescription(
    name: LendingSchema.name, purpose: "Lends books: requests, handovers and returns",
    migrations: LendingSchema.migrations,
    settings: [SealSettings.key.description, LendingSettings.declarationWait.description])

  static let commands: [any ParsableCommand.Type] = [LoadCommand.self, RemoveCommand.self]

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try build(runtime, authenticator: nil, catalog: runtime.peer("catalog"))
  }

  /// - Parameters:
  ///   - authenticator: `nil` for identity's tokens; tests that are not about tokens pass another, so that they need no identity.
  ///   - catalog: asked about books that are unknown here.
  static func build(
    _ runtime: Runtime, authenticator: (any Authenticator)?, catalog: (any RPCChannel)?
  ) throws -> ServedService {
    expectData(runtime)
    let operations = LoanOperations(
      database: runtime.database, environment: runtime.environment, events: runtime.events, jobs: runtime.jobs,
      catalog: catalog, declarationWait: runtime.settings[LendingSettings.declarationWait],
      logger: runtime.logger)
    let loans = Loans(
      operations: operations, database: runtime.database, environment: runtime.environment,
      seal: runtime.settings[SealSettings.key].seal)
    let cleanup = LoanCleanup(operations: operations)
    let notices = DueNotices(operations: operations, jobs: runtime.jobs)
    return ServedService(
      services: [loans],
      background: [
        ExpirySweep(
          of: [DeleteExpiredIdempotencyKeys.self], database: runtime.database, clock: runtime.environment.clock,
          logger: runtime.logger)
      ],
      follows: [.users(operations), .blocks(operations), .books(operations)],
      jobs: cleanup.handlers + notices.handlers, authenticator: authenticator,
      descriptors: { [TandemLending.FileDescriptors.serialized] })
  }
}
