import LendingSamples
import LendingStore
import Postgres
import ServiceRuntime

extension Lending {
  /// What users lack while it is not loaded.
  static func expectData(_ runtime: Runtime) {
    let (database, readiness) = (runtime.database, runtime.readiness)
    let cure = "tandem load defaults --from FOLDER, with GeoNames' cities15000.txt or XX.txt in it"
    let cities = LoadedCities(firstSample: LendingSamples.placeIDs.min() ?? .max)
    readiness.expect(Lack("places", "every address of a pickup is unknown", cure: cure)) {
      try await database.first(cities)?.hasAny
    }
    readiness.expect(Lack("places", "addresses are unknown but for those of the samples' cities", cure: cure)) {
      guard let loaded = try await database.first(cities) else { return nil }
      // Without any the other line says so.
      return loaded.hasOthers || !loaded.hasAny
    }
  }
}
