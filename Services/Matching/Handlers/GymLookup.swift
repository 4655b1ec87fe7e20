import Geography
import Logging
import MatchingDomain
import MatchingStore
import TTRPC
import TandemCatalog
import TandemMatching

/// Asks the catalog where a gym is; sessions keep a copy, as a gym may vanish from the catalog.
struct GymLookup: Sendable {
  let catalog: (any RPCChannel)?
  let logger: Logger

  /// Short, as the caller waits for the answer.
  private static let timeout = Duration.seconds(3)

  /// A gym. Call it outside of transactions.
  ///
  /// - Throws: NOT_FOUND if the catalog does not have it; UNAVAILABLE if the catalog does not answer.
  func gym(_ id: GymID) async throws -> StoredGym {
    guard let catalog else { throw Status.catalogUnavailable }
    let place: GymPlace
    do {
      place = try await GymsClient(catalog).lookUpGym(
        LookUpGymRequest(gymID: id.description), CallOptions(timeout: Self.timeout))
    } catch let status as Status where status.code == .notFound {
      throw Status(MatchingReason.gymNotFound, "There is no such gym")
    } catch let status as Status {
      logger.warning("the lookup of a gym in the catalog failed", metadata: ["cause": "\(status)"])
      throw Status.catalogUnavailable
    }
    guard let wire = place.point, let point = GeoPoint(latitude: wire.latitude, longitude: wire.longitude) else {
      throw Status.catalogUnavailable
    }
    let outline = place.outline.compactMap { GeoPoint(latitude: $0.latitude, longitude: $0.longitude) }
    return StoredGym(
      id: id, name: place.name, point: point, timeZone: place.timeZone.isEmpty ? "UTC" : place.timeZone,
      area: GymArea(around: point, radius: place.radiusM > 0 ? Metres(place.radiusM) : nil, outline: outline))
  }
}
