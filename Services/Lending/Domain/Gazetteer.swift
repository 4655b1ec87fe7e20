public import Geography
import TextNormalization

/// A city of the loaded gazetteer.
public struct GazetteerCity: Sendable, Hashable {
  /// Its centre.
  public let point: GeoPoint
  /// Inhabitants; 0 if the gazetteer does not have the number.
  public let population: Int64

  public init(point: GeoPoint, population: Int64) {
    self.point = point
    self.population = population
  }
}

/// A box of coordinates, in degrees; its east is less than its west if it reaches over the antimeridian.
public struct CoordinateBox: Sendable, Hashable {
  public let south: Double
  public let north: Double
  public let west: Double
  public let east: Double
}

/// A place that an address may name.
public struct NamedPlace: Sendable, Hashable {
  /// The name by which it was found, as ``Gazetteer/key(_:)`` spells it.
  public let key: String
  public let found: FoundPlace

  public init(key: String, _ found: FoundPlace) { (self.key, self.found) = (key, found) }
}

/// A place of the loaded gazetteer.
public struct KnownPlace: Sendable, Hashable {
  public let name: String
  public let country: String
  public let isCity: Bool
  public let point: GeoPoint
  public let population: Int64

  public init(name: String, country: String, isCity: Bool, point: GeoPoint, population: Int64) {
    (self.name, self.country, self.isCity, self.point) = (name, country, isCity, point)
    self.population = population
  }
}

/// Which places belong to which city ([LE-8]).
public enum Gazetteer {
  /// Inhabitants per square metre, about as in London or Singapore's suburbs: the reach of a city follows from its population.
  private static let density = 1_500.0 / 1_000_000
  /// The smallest and the largest reach of a city, in metres.
  private static let (minReach, maxReach) = (3_000.0, 40_000.0)
  /// Further words of an address are ignored.
  private static let maxWords = 24
  /// The most words of a name of which each may be an abbreviation or not.
  private static let maxAbbreviations = 3
  /// The most words of a place's name.
  private static let maxWordsOfName = 12

  /// The great-circle distance from a city's centre within which places belong to it.
  public static func reach(of city: GazetteerCity) -> Metres {
    Metres(min(maxReach, max(minReach, (Double(city.population) / density / .pi).squareRoot())))
  }

  /// Whether a place belongs to a city.
  public static func contains(_ city: GazetteerCity, _ place: GeoPoint) -> Bool {
    city.point.distance(to: place) <= reach(of: city)
  }

  /// The range of latitudes of the places that belong to a city.
  public static func latitudes(of city: GazetteerCity) -> ClosedRange<Double> {
    city.point.latitudes(within: reach(of: city))
  }

  /// The box of coordinates that has all points within a distance of a point.
  public static func box(around point: GeoPoint, within distance: Metres) -> CoordinateBox {
    let latitudes = point.latitudes(within: distance)
    let farthest = max(abs(latitudes.lowerBound), abs(latitudes.upperBound))
    let parallel = GeoPoint.lengthOfParallel(at: farthest).value
    let width = parallel > 2 * distance.value ? distance.value / parallel * 360 : 180
    guard width < 180 else {
      return CoordinateBox(south: latitudes.lowerBound, north: latitudes.upperBound, west: -180, east: 180)
    }
    let (west, east) = (point.longitude - width, point.longitude + width)
    return CoordinateBox(
      south: latitudes.lowerBound, north: latitudes.upperBound, west: west < -180 ? west + 360 : west,
      east: east > 180 ? east - 360 : east)
  }

  /// Where an address is: of the places in its city that it names, the one with the longest name, and of equal ones the most precise.
  public static func best(of places: [NamedPlace], in cities: [GazetteerCity]) -> FoundPlace? {
    let within = places.filter { place in cities.contains { contains($0, place.found.point) } }
    return within.min { one, two in
      (-one.key.unicodeScalars.count, one.found.precision, one.key, one.found.point.latitude, one.found.point.longitude)
        < (
          -two.key.unicodeScalars.count, two.found.precision, two.key, two.found.point.latitude,
          two.found.point.longitude
        )
    }?.found
  }

  /// The more exact of what an address names and of what its postcode says.
  public static func best(of place: FoundPlace?, and postcode: FoundPlace?) -> FoundPlace? {
    guard let place, let postcode else { return place ?? postcode }
    return postcode.precision < place.precision ? postcode : place
  }

  /// Where an address is if the gazetteer knows nothing but the city: at its centre, of several cities the first one's.
  public static func centre(of cities: [GazetteerCity]) -> FoundPlace? {
    cities.first.map { FoundPlace($0.point, precision: Int32(reach(of: $0).value.rounded()), .city) }
  }

  /// Metres around a point in which its nearest known place is looked for.
  public static let nearbyReach = Metres(2_000)
  /// Metres around a point in which the city of its nearest known place is looked for.
  public static let cityReach = Metres(maxReach)

  /// The known place nearest to a point, and the city that it lies in: of several the nearest one.
  ///
  /// - Parameters:
  ///   - places: those around it.
  ///   - cities: those around it; one of them may be the place.
  public static func nearest(to point: GeoPoint, among places: [KnownPlace], cities: [KnownPlace]) -> NearbyPlace? {
    let rated = places.map { ($0, point.distance(to: $0.point)) }.filter { $0.1 <= nearbyReach }
    // A street says more than its city.
    guard let (place, distance) = rated.min(by: { ($0.0.isCity ? 1 : 0, $0.1) < ($1.0.isCity ? 1 : 0, $1.1) }) else {
      return nil
    }
    let around = cities.filter {
      $0.isCity && $0.country == place.country
        && contains(GazetteerCity(point: $0.point, population: $0.population), place.point)
    }
    // A large city has villages within its reach, and its own centre is far from its edges: by the share of the reach.
    let city = around.min { share(of: $0, place.point) < share(of: $1, place.point) }
    return NearbyPlace(
      name: place.name, city: place.isCity ? place.name : city?.name ?? "", country: place.country,
      distance: Int32(distance.value.rounded()))
  }

  private static func share(of city: KnownPlace, _ point: GeoPoint) -> Double {
    city.point.distance(to: point).value
      / reach(of: GazetteerCity(point: city.point, population: city.population)).value
  }

  /// The search key of a name: its words without case and accents, separated by spaces.
  public static func key(_ name: String) -> String { Words.of(name).joined(separator: " ") }

  /// Every name that an address may contain: each sequence of its words, except numbers alone, and each with its abbreviations written out.
  public static func names(in address: String) -> [String] {
    let words = Array(Words.of(address).prefix(maxWords))
    var names: Set<String> = []
    for start in words.indices {
      for end in start..<min(words.endIndex, start + maxWordsOfName) {
        names.formUnion(spellings(of: words[start...end]).map { $0.joined(separator: " ") })
      }
    }
    // A number alone is not a name, although places may be called by one.
    return names.filter { $0.contains { !$0.isNumber && $0 != " " } }.sorted()
  }

  /// The spellings of some words: each word as it is, or without its abbreviation, as the first of `St Thomas Rd` is none. Of many
  /// abbreviations all are written out or none.
  private static func spellings(of words: ArraySlice<String>) -> [[String]] {
    let choices = words.map { word in Set([word, writtenOut(word)]).sorted() }
    guard choices.count(where: { $0.count > 1 }) <= maxAbbreviations else {
      return [Array(words), words.map(writtenOut)]
    }
    return choices.reduce([[]]) { texts, choice in texts.flatMap { text in choice.map { text + [$0] } } }
  }

  /// A word of an address without its usual abbreviation: `friedrichstr` is `friedrichstrasse`, `rd` is `road`.
  private static func writtenOut(_ word: String) -> String {
    if let whole = abbreviations[word] { return whole }
    return word.hasSuffix("str") ? "\(word)asse" : word
  }

  /// As ``Words`` spells them.
  private static let abbreviations = [
    "ave": "avenue", "av": "avenue", "blvd": "boulevard", "bd": "boulevard", "cres": "crescent", "ct": "court",
    "dr": "drive", "gdns": "gardens", "hwy": "highway", "ln": "lane", "pde": "parade", "pl": "place", "rd": "road",
    "sq": "square", "st": "street", "ter": "terrace", "avda": "avenida", "pza": "plaza",
  ]
}
