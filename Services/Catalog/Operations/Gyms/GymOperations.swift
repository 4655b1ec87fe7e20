import CatalogDomain
import CatalogStore
import Identifiers
import Postgres
import TTRPC

/// What the catalog does with gyms; see ``BookOperations``.
package struct GymOperations: Sendable {
  let database: Database
  let lending: (any RPCChannel)?
  let zones: ZoneTables

  /// - Parameter lending: knows where towns are; `nil` in a deployment without it.
  package init(database: Database, lending: (any RPCChannel)?) {
    self.database = database
    self.lending = lending
    zones = ZoneTables(database: database)
  }

  /// The UTC offsets of some gyms' zones around a moment, by the zones' names; unknown zones are left out.
  package func lookUpZones(of gyms: [StoredGym], at now: Instant) async throws -> [String: ZoneOffsets] {
    try await zones.tables(of: Set(gyms.compactMap(\.timeZone)), at: now)
  }
}
