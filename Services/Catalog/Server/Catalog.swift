import CatalogStore
import Events
import Idempotency
import ServiceRuntime

/// The `catalog` executable. It owns its schema, forgets who leaves and answers health; its own methods come with
/// their rules.
@main
struct Catalog: TandemService {
  static let service = ServiceDescription(
    name: "catalog", purpose: "Gyms, exercises, workouts and books",
    migrations: CatalogSchema.migrations)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let sweep = ReplaySweep(database: runtime.database, clock: runtime.ambient.clock, logger: runtime.logger)
    return ServedService(background: [sweep], follows: [.accountDeletions(CatalogSchema.removals)])
  }
}
