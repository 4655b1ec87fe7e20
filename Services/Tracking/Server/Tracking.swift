import AccountDeletions
import Events
import Expiry
import Idempotency
import TrackingStore
import ServiceRuntime

/// The `tracking` executable. It owns its schema, deletes the data of users who delete their accounts, and reports its health; it has no
/// methods of its own yet.
@main
struct Tracking: TandemService {
  static let service = ServiceDescription(
    name: "tracking", purpose: "Keeps an eye on each other's way home, and hosts the chat",
    migrations: TrackingSchema.migrations)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let sweep = ExpirySweep(
      of: [DeleteExpiredIdempotencyKeys.self], database: runtime.database, clock: runtime.environment.clock,
      logger: runtime.logger)
    return ServedService(background: [sweep], follows: [.accountDeletions(TrackingSchema.removals)])
  }
}
