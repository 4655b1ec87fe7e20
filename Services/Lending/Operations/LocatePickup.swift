import Geography
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// The most cities of one name that are considered, the largest first.
  private static let maxCities: Int64 = 8

  /// The known place nearest to a point, with its city ([LE-8]).
  package func nearby(_ point: GeoPoint) async throws -> NearbyPlace? {
    let around = try await database.rows(PlacesAround(point, within: Gazetteer.nearbyReach)).compactMap(\.place)
    // Which country it is in decides which cities are asked for.
    guard let found = Gazetteer.nearest(to: point, among: around, cities: []) else { return nil }
    let cities = try await database.rows(LargestCitiesAround(point, in: found.country)).compactMap(\.place)
    return Gazetteer.nearest(to: point, among: around, cities: cities)
  }

  /// The cities of a name.
  package func cities(named name: String, in country: String) async throws -> [GazetteerCity] {
    let named = CitiesNamed(country: country, key: Gazetteer.key(name), limit: Self.maxCities)
    return try await database.rows(named).compactMap(\.city)
  }

  /// Whether any places are loaded by which an address could be known.
  package func hasPlaces() async throws -> Bool {
    try await database.first(LoadedCities(firstSample: .max))?.hasAny ?? false
  }

  /// Where an address of one of some cities is; `nil` if it is in none of them ([LE-8]).
  package func locate(_ address: String, in country: String, _ cities: [GazetteerCity]) async throws -> FoundPlace? {
    if let found = try await found(address, in: country, cities) { return found }
    // Of a city whose streets are not loaded none is known to be elsewhere.
    guard try await database.first(HasStreetsNear(cities)) == false else { return nil }
    return Gazetteer.centre(of: cities)
  }

  /// Where an address is by the places that it names, and by its postcode where none of its streets is known; `nil` if neither is known in
  /// one of the cities.
  private func found(_ address: String, in country: String, _ cities: [GazetteerCity]) async throws -> FoundPlace? {
    let named = PlacesNamed(Gazetteer.names(in: address), in: country, near: cities)
    let place = Gazetteer.best(of: try await database.rows(named).compactMap(\.place), in: cities)
    let keys = Postcode.keys(in: address)
    if keys.isEmpty || place?.exactness == .building || place?.exactness == .street { return place }
    let postcodes = try await database.rows(PostcodesNamed(keys, in: country, near: cities)).compactMap(\.place)
    return Gazetteer.best(of: place, and: Gazetteer.best(of: postcodes, in: cities))
  }
}
