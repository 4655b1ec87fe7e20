import AccountDeletions
import Events
import Expiry
import Idempotency
import ImporterStore
import ServiceRuntime

/// The `importer` executable. It owns its schema, deletes the data of users who delete their accounts, and reports its health; it has no
/// methods of its own yet.
@main
struct Importer: TandemService {
  static let service = ServiceDescription(
    name: "importer", purpose: "Brings fitness trackers in: connections, imports and activities",
    migrations: ImporterSchema.migrations)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let sweep = ExpirySweep(
      of: [DeleteExpiredIdempotencyKeys.self], database: runtime.database, clock: runtime.environment.clock,
      logger: runtime.logger)
    return ServedService(background: [sweep], follows: [.accountDeletions(ImporterSchema.removals)])
  }
}
