import Events
import Idempotency
import LendingStore
import ServiceRuntime

/// The `lending` executable. It owns its schema, forgets who leaves and answers health; its own methods come with
/// their rules.
@main
struct Lending: TandemService {
  static let service = ServiceDescription(
    name: "lending", purpose: "Lends books: requests, handovers and returns",
    migrations: LendingSchema.migrations)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let sweep = ReplaySweep(database: runtime.database, clock: runtime.ambient.clock, logger: runtime.logger)
    return ServedService(background: [sweep], follows: [.accountDeletions(LendingSchema.removals)])
  }
}
