/// Which properties of a GeoJSON file that does not have OpenStreetMap's tags say what about a gym.
package struct GymFieldNames: Sendable {
  /// What may be named, as the options spell it.
  package enum Field: String, Sendable, CaseIterable {
    case id, name, street, postcode, city, country, phone, website, capacity
    case houseNumber = "house-number"
    case openingHours = "opening-hours"
    case timeZone = "time-zone"

    /// OpenStreetMap's tag.
    var tag: String {
      switch self {
      case .id: "@id"
      case .street, .postcode, .city, .country: "addr:\(rawValue)"
      case .houseNumber: "addr:housenumber"
      case .openingHours: "opening_hours"
      case .timeZone: "timezone"
      case .name, .phone, .website, .capacity: rawValue
      }
    }
  }

  /// OpenStreetMap's tags only: then a gym without an id is refused.
  package static let tags = GymFieldNames([])

  /// The tag that each named property stands for.
  private let tagOfProperty: [String: String]
  private let named: Set<Field>

  /// - Parameter names: fields and their properties; of a property that is named twice the last field counts.
  package init(_ names: [(field: Field, property: String)]) {
    tagOfProperty = Dictionary(names.map { ($0.property, $0.field.tag) }, uniquingKeysWith: { $1 })
    named = Set(names.map(\.field))
  }

  func tag(of property: String) -> String { tagOfProperty[property] ?? property }

  /// Whether the id is that of a property, even if the feature has another.
  var namesID: Bool { named.contains(.id) }

  /// Whether a gym without an id gets one from its place and name.
  var derivesIDs: Bool { !named.isEmpty }

  /// The id of a gym that has none: the same for the same place, to a metre, and name.
  static func derivedID(latitude: Double, longitude: Double, name: String) -> String {
    // FNV-1a: short, and the same in every version of the program.
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    func rounded(_ degrees: Double) -> String { "\(Int((degrees * 100_000).rounded()))" }
    return "at/\(rounded(latitude))/\(rounded(longitude))/\(String(hash, radix: 16))"
  }
}
