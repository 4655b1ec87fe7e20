import CatalogStore
import FieldViolations
import TTRPC
import TandemCatalog

extension Gyms {
  /// Where one gym is, for matching.
  package func lookUpGym(_ call: LookUpGymRequest, _ context: CallContext) async throws -> GymPlace {
    var bad = Violations()
    let gymID = bad.gymID(call.gymID)
    let id = try bad.all(gymID)
    guard let gym = try await database.first(GymPlaceByID(gymID: id)) else { throw Status.noSuchGym }
    let outline = gym.outline ?? []
    return GymPlace(
      gymID: gym.id.description, name: gym.name, point: Point(latitude: gym.latitude, longitude: gym.longitude),
      timeZone: gym.timeZone ?? "",
      outline: stride(from: 0, to: outline.count - 1, by: 2).map {
        Point(latitude: outline[$0], longitude: outline[$0 + 1])
      }, radiusM: gym.radiusM ?? 0)
  }
}
