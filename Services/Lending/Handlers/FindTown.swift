import FieldViolations
import LendingDomain
import LendingStore
import TTRPC
import TandemLending

extension Loans {
  /// Where the largest town of a name is: the catalog measures the distances of gyms from it ([CA-2]).
  package func findTown(_ call: FindTownRequest, _ context: CallContext) async throws -> FindTownResponse {
    var bad = Violations()
    let name = bad.require("name", PickupAddress.line(call.name, of: CityLimit.self), LendingReason.cityUnknown)
    let key = Gazetteer.key(try bad.all(name))
    // A name of signs alone has no words.
    guard !key.isEmpty, let found = try await database.first(LargestCityNamed(key: key)) else {
      return FindTownResponse()
    }
    return FindTownResponse(point: Point(latitude: found.latitude, longitude: found.longitude))
  }
}
