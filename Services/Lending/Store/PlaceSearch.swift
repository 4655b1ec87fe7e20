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
  private static let maxCount: Int64 = 2_000

  package init(_ keys: [String], in country: String, near cities: [GazetteerCity]) {
    let bands = cities.map { Gazetteer.latitudes(of: $0) }
    self.init(
      souths: bands.map(\.lowerBound), norths: bands.map(\.upperBound), country: country, keys: keys,
      limit: Self.maxCount)
  }
}

extension PlacesNamed.Row {
  /// `nil` for a row without a point on Earth, which the table does not store.
  package var place: NamedPlace? {
    GeoPoint(latitude: latitude, longitude: longitude).map {
      NamedPlace(key: key, FoundPlace($0, precision: precisionM, exactness))
    }
  }
}

extension PostcodesNamed {
  /// The most places of one city's latitudes: a postcode may stand for hundreds of villages.
  private static let maxCount: Int64 = 2_000

  package init(_ keys: [String], in country: String, near cities: [GazetteerCity]) {
    let bands = cities.map { Gazetteer.latitudes(of: $0) }
    self.init(
      souths: bands.map(\.lowerBound), norths: bands.map(\.upperBound), country: country, keys: keys,
      limit: Self.maxCount)
  }
}

extension PostcodesNamed.Row {
  /// `nil` for a row without a point on Earth, which the table does not store.
  package var place: NamedPlace? {
    GeoPoint(latitude: latitude, longitude: longitude).map {
      NamedPlace(key: key, FoundPlace($0, precision: precisionM, .postcode))
    }
  }
}

extension HasStreetsNear {
  /// Whether anything but cities is known about where places belong to one of these.
  package init(_ cities: [GazetteerCity]) {
    let boxes = cities.map { Gazetteer.box(around: $0.point, within: Gazetteer.reach(of: $0)) }
    self.init(
      easts: boxes.map(\.east), wests: boxes.map(\.west), souths: boxes.map(\.south), norths: boxes.map(\.north))
  }
}

extension PlacesAround {
  /// The most places of a box: enough for the centre of a city.
  private static let maxCount: Int64 = 200

  package init(_ point: GeoPoint, within distance: Metres) {
    let box = Gazetteer.box(around: point, within: distance)
    self.init(
      west: box.west, south: box.south, east: box.east, north: box.north, longitude: point.longitude,
      latitude: point.latitude, limit: Self.maxCount)
  }
}

extension PlacesAround.Row {
  /// `nil` for a row without a point on Earth, which the table does not store.
  package var place: KnownPlace? {
    GeoPoint(latitude: latitude, longitude: longitude).map {
      KnownPlace(name: name, country: country, isCity: isCity, point: $0, population: population)
    }
  }
}

extension LargestCitiesAround {
  /// The most cities of a box: the largest reach the farthest.
  private static let maxCount: Int64 = 50

  package init(_ point: GeoPoint, in country: String) {
    let box = Gazetteer.box(around: point, within: Gazetteer.cityReach)
    self.init(
      west: box.west, south: box.south, east: box.east, north: box.north, country: country, limit: Self.maxCount)
  }
}

extension LargestCitiesAround.Row {
  /// `nil` for a row without a point on Earth, which the table does not store.
  package var place: KnownPlace? {
    GeoPoint(latitude: latitude, longitude: longitude).map {
      KnownPlace(name: name, country: country, isCity: isCity, point: $0, population: population)
    }
  }
}
