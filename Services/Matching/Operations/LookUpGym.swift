import Geography
import MatchingDomain
import MatchingStore
import TTRPC
import TandemCatalog

extension SessionOperations {
  /// Short, as the caller waits for the answer.
  private static let timeout = Duration.seconds(3)

  /// Asks the catalog where a gym is; sessions keep a copy, as a gym may vanish from the catalog. Call it outside of transactions.
  ///
  /// - Throws: `noSuchGym` if the catalog does not have it; `catalogUnavailable` if the catalog does not answer.
  package func lookUpGym(_ id: GymID) async throws -> StoredGym {
    guard let catalog else { throw MatchingFailure.catalogUnavailable }
    let place: GymPlace
    do {
      place = try await GymsClient(catalog).lookUpGym(
        LookUpGymRequest(gymID: id.description), CallOptions(timeout: Self.timeout))
    } catch let status as Status where status.code == .notFound {
      throw SessionRefusal.noSuchGym
    } catch let status as Status {
      logger.warning("the lookup of a gym in the catalog failed", metadata: ["cause": "\(status)"])
      throw MatchingFailure.catalogUnavailable
    }
    guard let wire = place.point, let point = GeoPoint(latitude: wire.latitude, longitude: wire.longitude) else {
      throw MatchingFailure.catalogUnavailable
    }
    let outline = place.outline.compactMap { GeoPoint(latitude: $0.latitude, longitude: $0.longitude) }
    return StoredGym(
      id: id, name: place.name, point: point, timeZone: place.timeZone.isEmpty ? "UTC" : place.timeZone,
      area: GymArea(around: point, radius: place.radiusM > 0 ? Metres(place.radiusM) : nil, outline: outline))
  }
}
