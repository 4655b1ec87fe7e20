import Geography
import LendingDomain

extension CitiesNamed.Row {
  /// `nil` for a row without a point on Earth, which the table does not store.
  package var city: GazetteerCity? {
    GeoPoint(latitude: latitude, longitude: longitude).map { GazetteerCity(point: $0, population: population) }
  }
}

extension PlacesNamed {
  /// The most places of one city's latitudes: every village of a country may have a Main Street.
  private static let most: Int64 = 2_000

  package init(_ keys: [String], in country: String, near cities: [GazetteerCity]) {
    let bands = cities.map { Gazetteer.latitudes(of: $0) }
    self.init(
      souths: bands.map(\.lowerBound), norths: bands.map(\.upperBound), country: country, keys: keys,
      limit: Self.most)
  }
}

extension PlacesNamed.Row {
  /// `nil` for a row without a point on Earth, which the table does not store.
  package var point: GeoPoint? { GeoPoint(latitude: latitude, longitude: longitude) }
}
