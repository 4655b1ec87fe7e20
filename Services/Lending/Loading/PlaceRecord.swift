import Geography
import LendingDomain

/// A line of a GeoNames file, validated and cut to the stored lengths (https://download.geonames.org/export/dump/readme.txt).
package struct PlaceRecord: Sendable, Equatable {
  package let id: Int64
  /// ISO 3166-1 alpha-2.
  package let country: String
  package let name: String
  package let isCity: Bool
  package let point: GeoPoint
  /// 0 if unknown.
  package let population: Int64
  /// The code of its first division of the country; empty if it is not known.
  package let province: String
  /// An address that names it is probably within this many metres of its position.
  package let precision: Int32
  /// What an address that names it is known by.
  package let exactness: Exactness
  /// The search keys of its names, each once.
  package let keys: [String]

  /// Why a line is not a usable place.
  package struct Flaw: Error, Equatable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// The positions of columns; the file has no header.
  private enum Column: Int {
    case id = 0
    case name = 1
    case plainName = 2
    case otherNames = 3
    case latitude = 4
    case longitude = 5
    case featureClass = 6
    case featureCode = 7
    case country = 8
    case province = 10
    case population = 14
  }

  fileprivate static let columns = 19
  /// The most keys that are stored: large cities have hundreds.
  private static let maxKeys = 100
  /// Longer names are cut; code points.
  static let maxNameLength = 200
  /// The longest code of a province.
  fileprivate static let maxProvinceLength = 20
  /// Administrative areas and seas, which are skipped: an address lies in many of them.
  private static let passedOver: Set<String> = ["A", "U"]
  /// A part of a city; it has the feature class of cities.
  private static let quarter = "PPLX"

  /// Metres from the position of a place in which an address that names it probably is, by its feature class: a building is a point, a
  /// street or a quarter is not.
  private static func precision(_ featureClass: String, _ featureCode: String) -> Int32 {
    switch featureClass {
    case "S": 100
    case "R": 1_000
    case "P": featureCode == quarter ? 1_500 : 3_000
    default: 2_000
    }
  }

  /// What an address that names a place is known by, by its feature class.
  private static func exactness(_ featureClass: String, _ featureCode: String) -> Exactness {
    switch featureClass {
    case "S": .building
    case "R": .street
    case "P": featureCode == quarter ? .quarter : .city
    // A park, a lake or a hill.
    default: .quarter
    }
  }

  /// Parses a line; `nil` for a valid one that is not a place that an address could name.
  package init?(line: String) throws(Flaw) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count == Self.columns else {
      throw Flaw("it has \(fields.count) columns; a place has \(Self.columns), a postcode \(PostcodeRecord.columns)")
    }
    func text(_ column: Column) -> String { String(fields[column.rawValue]) }
    let featureClass = text(.featureClass)
    if Self.passedOver.contains(featureClass) { return nil }
    guard let id = Int64(text(.id)), id > 0 else { throw Flaw("its id is no number") }
    guard let latitude = Double(text(.latitude)), let longitude = Double(text(.longitude)),
      let point = GeoPoint(latitude: latitude, longitude: longitude)
    else { throw Flaw("it lies nowhere on Earth") }
    guard PickupAddress.isCountry(text(.country)) else { throw Flaw("its country is no code of two capitals") }
    (self.id, self.point, country) = (id, point, text(.country))
    name = String(text(.name).prefix(Self.maxNameLength))
    guard name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw Flaw("its name has characters that do not show")
    }
    isCity = featureClass == "P" && text(.featureCode) != Self.quarter
    population = max(0, Int64(text(.population)) ?? 0)
    let code = text(.province)
    province =
      code.utf8.count <= Self.maxProvinceLength && code.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? code : ""
    precision = Self.precision(featureClass, text(.featureCode))
    exactness = Self.exactness(featureClass, text(.featureCode))
    keys = Self.keys([text(.name), text(.plainName)] + text(.otherNames).split(separator: ",").map(String.init))
    if keys.isEmpty { throw Flaw("it has no name") }
  }

  private static func keys(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    var keys: [String] = []
    for name in names where keys.count < maxKeys {
      let key = Gazetteer.key(String(name.prefix(maxNameLength)))
      if !key.isEmpty, seen.insert(key).inserted { keys.append(key) }
    }
    return keys
  }
}

/// A line of a GeoNames file about a first division of a country, which has the feature code `ADM1`.
package struct ProvinceRecord: Sendable, Equatable {
  /// ISO 3166-1 alpha-2.
  package let country: String
  package let code: String
  package let name: String

  /// Parses a line; `nil` for one about something else, or an unusable one, as its cities then show their code.
  package init?(line: String) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == PlaceRecord.columns, fields[6] == "A", fields[7] == "ADM1" else { return nil }
    (country, code) = (fields[8], fields[10])
    name = String(fields[1].prefix(PlaceRecord.maxNameLength))
    guard PickupAddress.isCountry(country), (1...PlaceRecord.maxProvinceLength).contains(code.utf8.count),
      !name.isEmpty,
      code.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
  }
}
