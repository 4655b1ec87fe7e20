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
    guard let gym = try await database.first(GymByID(gymID: id, now: environment.clock.now)) else {
      throw Status.noSuchGym
    }
    return GymPlace(
      gymID: gym.id.description, name: gym.name,
      point: Point(latitude: gym.point.latitude, longitude: gym.point.longitude), timeZone: gym.timeZone ?? "")
  }
}
