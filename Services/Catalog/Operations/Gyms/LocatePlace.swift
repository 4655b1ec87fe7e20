import CatalogDomain
import CatalogStore
import Geography
import Postgres
import TTRPC
import TandemLending

extension GymOperations {
  /// The middle of the gyms with a postcode or in a town; `nil` if there are none.
  package func middle(of place: GymPlace) async throws -> GeoPoint? {
    let found = try await database.rows(GymsAtPlace(place)).filter {
      place.isThat(postcode: $0.postcode, city: $0.city)
    }
    return GeoPoint(inTheMiddleOf: found.compactMap { GeoPoint(latitude: $0.latitude, longitude: $0.longitude) })
  }

  /// A town without gyms, which lending knows; `nil` if it does not know it either.
  ///
  /// - Throws: `townsUnavailable` if it does not answer: the town may exist.
  package func town(named name: String) async throws -> GeoPoint? {
    guard let lending else { return nil }
    let found: TandemLending.Point?
    do {
      let options = CallOptions(timeout: Self.patience)
      found = try await LoansClient(lending).findTown(FindTownRequest(name: name), options).point
    } catch let status as Status {
      if status.code == .invalidArgument { return nil }
      throw CatalogFailure.townsUnavailable
    }
    return found.flatMap { GeoPoint(latitude: $0.latitude, longitude: $0.longitude) }
  }

  /// Short, as the caller waits for the answer.
  private static let patience = Duration.seconds(2)
}
