public import Geography
import TextNormalization

/// A city of the loaded places.
public struct GazetteerCity: Sendable, Hashable {
  /// Its centre.
  public let point: GeoPoint
  /// People who live in it; 0 when the gazetteer does not say.
  public let population: Int64

  /// Names the parts.
  public init(point: GeoPoint, population: Int64) {
    self.point = point
    self.population = population
  }
}

/// What lies in which city ([LE-8]).
public enum Gazetteer {
  /// People on a square metre of a city, about as many as in London or Singapore's suburbs: by it a city's reach follows from its population.
  private static let density = 1_500.0 / 1_000_000
  /// How far any city reaches, and the largest, in metres.
  private static let (minReach, maxReach) = (3_000.0, 40_000.0)
  /// More words of an address are not looked at.
  private static let maxWords = 24
  /// Names of places have no more words.
  private static let maxWordsOfName = 12

  /// The way from a city's centre up to which places belong to it.
  public static func reach(of city: GazetteerCity) -> Metres {
    Metres(min(maxReach, max(minReach, (Double(city.population) / density / .pi).squareRoot())))
  }

  /// Whether a place belongs to a city.
  public static func contains(_ city: GazetteerCity, _ place: GeoPoint) -> Bool {
    city.point.distance(to: place) <= reach(of: city)
  }

  /// The latitudes on which all that belongs to a city lies.
  public static func latitudes(of city: GazetteerCity) -> ClosedRange<Double> {
    city.point.latitudes(within: reach(of: city))
  }

  /// What a name is found by: its words without case and accents, with a space between them.
  public static func key(_ name: String) -> String { Words.of(name).joined(separator: " ") }

  /// Every name that may stand in an address: each run of its words, house numbers apart.
  public static func names(in address: String) -> [String] {
    let words = Words.of(address).prefix(maxWords)
    var names: Set<String> = []
    for start in words.indices {
      for end in start..<min(words.endIndex, start + maxWordsOfName) {
        names.insert(words[start...end].joined(separator: " "))
      }
    }
    // A number alone is no place, however many places are called by one.
    return names.filter { $0.contains { !$0.isNumber && $0 != " " } }.sorted()
  }
}
