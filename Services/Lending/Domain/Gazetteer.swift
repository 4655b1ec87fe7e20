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
