import CatalogStore
import ServiceRuntime

/// The `catalog` executable. It owns its schema and answers health; its own methods come with their rules.
@main
struct Catalog: TandemService {
  static let service = ServiceDescription(
    name: "catalog", purpose: "Gyms, exercises, workouts and books",
    migrations: CatalogSchema.migrations)

  static func build(_ runtime: Runtime) async throws -> ServedService { ServedService() }
}
