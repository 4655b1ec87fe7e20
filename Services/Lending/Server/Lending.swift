import ArgumentParser
import Events
import Expiry
import Idempotency
import LendingDomain
import LendingHandlers
import LendingStore
import ServiceRuntime
import TTRPC
import TandemLending

/// The `lending` executable: who borrows which book from whom.
@main
struct Lending: TandemService {
  static let service = ServiceDescription(
    name: LendingSchema.name, purpose: "Lends books: requests, handovers and returns",
    migrations: LendingSchema.migrations, settings: [SealSettings.key.description])

  static let commands: [any ParsableCommand.Type] = [LoadCommand.self]

  static func build(_ runtime: Runtime) async throws -> ServedService {
    try build(runtime, authenticator: nil)
  }

  /// The service that knows callers by `authenticator`, or by identity's tokens: tests that are not about tokens need no identity.
  static func build(_ runtime: Runtime, authenticator: (any Authenticator)?) throws -> ServedService {
    let loans = Loans(
      database: runtime.database, ambient: runtime.ambient, seal: runtime.settings[SealSettings.key].seal,
      events: runtime.events, jobs: runtime.jobs, catalog: runtime.peer("catalog"), logger: runtime.logger)
    let journal = Journal(events: runtime.events, jobs: runtime.jobs, clock: runtime.ambient.clock)
    let farewells = Farewells(journal: journal, jobs: runtime.jobs)
    let notices = DueNotices(journal: journal, clock: runtime.ambient.clock)
    return ServedService(
      services: [loans],
      background: [
        ExpirySweep(
          of: [DeleteOldReplays.self], database: runtime.database, clock: runtime.ambient.clock, logger: runtime.logger)
      ],
      follows: [.people(farewells), .blocks(farewells), .books(clock: runtime.ambient.clock)],
      jobs: farewells.handlers + notices.handlers, authenticator: authenticator,
      descriptors: { [TandemLending.FileDescriptors.serialized] })
  }
}
