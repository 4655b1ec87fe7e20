import CatalogOperations
import Environment
import CatalogStore
import Cryptography
import FieldViolations
import Idempotency
import Pagination
import Postgres
import TTRPC
import TandemCatalog

/// Location, opening hours and usage of gyms; each method is in its own file.
package struct Gyms: GymsService {
  let operations: GymOperations
  let database: Database
  let environment: Environment
  let pages: Pages
  let turns: SearchTurns
  let idempotency: IdempotencyStore

  /// - Parameter seal: seals page tokens, and the answers kept for repeated requests ([C-4], [C-5]).
  package init(
    operations: GymOperations, database: Database, environment: Environment, seal: Seal, turns: SearchTurns
  ) {
    self.operations = operations
    self.turns = turns
    self.database = database
    self.environment = environment
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }

  /// The gyms with their usage and opening state at this moment.
  func shown(_ stored: [StoredGym]) async throws -> [Gym] {
    let now = environment.clock.now
    let zones = try await operations.lookUpZones(of: stored, at: now)
    return stored.map { gym in Gym(gym, gym.timeZone.flatMap { zones[$0] }, at: now) }
  }
}

extension Violations {
  /// Parses the id of a gym from the field of that name.
  mutating func gymID(_ text: String, _ field: String = "gym_id") -> GymID? {
    require(field, GymID(text), "This is not the id of a gym", CatalogReason.gymIDInvalid)
  }
}
