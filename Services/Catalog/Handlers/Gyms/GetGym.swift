import CatalogStore
import FieldViolations
import TTRPC
import TandemCatalog

extension Gyms {
  /// One gym as it is now ([CA-3], [CA-4]).
  package func getGym(_ call: GetGymRequest, _ context: CallContext) async throws -> Gym {
    var bad = Violations()
    let gymID = bad.gymID(call.gymID)
    let id = try bad.all(gymID)
    guard let stored = try await database.first(GymByID(gymID: id, now: environment.clock.now)),
      let gym = try await shown([stored]).first
    else { throw Status.noSuchGym }
    return gym
  }
}
