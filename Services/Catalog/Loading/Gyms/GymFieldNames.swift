/// Which properties of a GeoJSON file that does not have OpenStreetMap's tags say what about a gym.
package struct GymFieldNames: Sendable {
  /// What may be named, as the options spell it.
  package enum Field: String, Sendable, CaseIterable {
    case id, name, street, postcode, city, country, phone, website, capacity, radius
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
      case .name, .phone, .website, .capacity, .radius: rawValue
      }
    }
  }

  /// OpenStreetMap's tags only: then a gym without an id is refused.
  package static let tags = GymFieldNames([])

  /// The tags that each named property stands for.
  private let tagsOfProperty: [String: [String]]
  private let named: Set<Field>
  /// The tags that have another property than the one of their name.
  private let replaced: Set<String>

  /// - Parameter names: fields, each once, and their properties; one property may be that of several fields.
  package init(_ names: [(field: Field, property: String)]) {
    tagsOfProperty = Dictionary(grouping: names, by: \.property).mapValues { $0.map(\.field.tag) }
    named = Set(names.map(\.field))
    replaced = Set(names.map(\.field.tag))
  }

  /// The tags that a property stands for beside ``isTag(_:)``.
  func tags(of property: String) -> [String] { tagsOfProperty[property] ?? [] }

  /// Whether a property is the tag of its name: one that has another property is not.
  func isTag(_ property: String) -> Bool { !replaced.contains(property) }

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
