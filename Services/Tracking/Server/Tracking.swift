import AccountDeletions
import Events
import Expiry
import Idempotency
import TrackingStore
import ServiceRuntime

/// The `tracking` executable. It owns its schema, forgets who leaves and answers health; its own methods come with
/// their rules.
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
