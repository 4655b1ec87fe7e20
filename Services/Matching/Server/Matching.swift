import AccountDeletions
import Events
import Expiry
import Idempotency
import MatchingStore
import ServiceRuntime

/// The `matching` executable. It owns its schema, deletes the data of users who delete their accounts, and reports its health; it has no
/// methods of its own yet.
@main
struct Matching: TandemService {
  static let service = ServiceDescription(
    name: "matching", purpose: "Finds partners to train with: sessions, check-ins and feedback",
    migrations: MatchingSchema.migrations)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let sweep = ExpirySweep(
      of: [DeleteExpiredIdempotencyKeys.self], database: runtime.database, clock: runtime.environment.clock,
      logger: runtime.logger)
    return ServedService(background: [sweep], follows: [.accountDeletions(MatchingSchema.removals)])
  }
}
