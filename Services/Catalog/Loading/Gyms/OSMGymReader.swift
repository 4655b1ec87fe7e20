import CatalogDomain
import Geography

/// Parses OpenStreetMap features in GeoJSON: tags are properties, or members of the property `tags`.
struct OSMGymReader {
  /// A feature whose tags have been read.
  private struct Feature {
    var id: String?
    var tags: [String: String] = [:]
    var shape = Shape()
  }

  /// The positions of a geometry, and the lines that they make.
  private struct Shape {
    var positions: [GeoPoint] = []
    var lines: [[GeoPoint]] = []
  }

  /// The tags that are used; others are not stored.
  private static let wanted: Set<String> = [
    "name", "name:en", "alt_name", "short_name", "brand", "operator", "addr:street", "addr:place", "addr:housenumber",
    "addr:postcode", "addr:city", "addr:country", "phone", "contact:phone", "website", "contact:website",
    "opening_hours", "capacity", "radius", "timezone", "leisure", "amenity", "@id", "osm_type", "osm_id",
  ]
  /// The values of `leisure` and `amenity` that count as gyms.
  private static let kinds: Set<String> = ["fitness_centre", "sports_centre", "sports_hall", "gym", "dojo"]
  /// The deepest nesting of coordinates that is read; a multipolygon has four levels.
  private static let deepestCoordinates = 5

  /// The known zones.
  private let zones: Set<String>
  /// The zone of gyms whose records have none; `nil` if unknown.
  private let defaultZone: String?
  private let names: GymFieldNames

  init(zones: Set<String>, defaultZone: String?, names: GymFieldNames = .tags) {
    self.zones = zones
    self.defaultZone = defaultZone
    self.names = names
  }

  /// The gym that a feature describes; `nil` if it is not a gym.
  ///
  /// - Throws: ``GymFlaw`` for a record that is skipped.
  func read(_ text: String) throws(GymFlaw) -> GymRecord? {
    let feature: Feature
    do throws(GymFlaw) { feature = try self.feature(ArraySlice(text.utf8)) } catch {
      // Valid JSON of another shape is not to be called unreadable.
      throw error == JSONReader.flaw ? GymFlaw(JSONShape.reason(forUnreadable: text)) : error
    }
    let tags = feature.tags
    // A feature of several kinds has all of them in one tag.
    let kind = [tags["leisure"], tags["amenity"]].compactMap { $0 }
      .flatMap { $0.split(separator: ";") }.map { String($0.drop { $0 == " " }) }
    guard kind.isEmpty || kind.contains(where: Self.kinds.contains) else { return nil }
    let address = GymAddress(
      street: GymRecord.addressPart(tags["addr:street"] ?? tags["addr:place"]),
      houseNumber: GymRecord.addressPart(tags["addr:housenumber"]),
      postcode: GymRecord.addressPart(tags["addr:postcode"]), city: GymRecord.addressPart(tags["addr:city"]),
      country: Self.country(tags["addr:country"]))
    return try GymRecord(
      sourceID: sourceID(feature),
      names: [
        tags["name"], tags["name:en"], tags["brand"], tags["operator"], tags["alt_name"], tags["short_name"],
      ], points: feature.shape.positions, rings: feature.shape.lines, radius: tags["radius"], address: address,
      phone: tags["phone"] ?? tags["contact:phone"],
      website: tags["website"] ?? tags["contact:website"], timeZone: try zone(tags["timezone"]),
      openingHours: tags["opening_hours"], capacity: tags["capacity"])
  }

  private func zone(_ name: String?) throws(GymFlaw) -> String? {
    guard let name else { return defaultZone }
    guard zones.contains(name) else { throw GymFlaw("there is no time zone of the name that it gives") }
    return name
  }

  private static func country(_ text: String?) -> String {
    guard let text, text.utf8.count == 2, text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isLetter }) else {
      return ""
    }
    return text.uppercased()
  }

  /// `node/123`, for all spellings of exporting programs.
  private func sourceID(_ feature: Feature) -> String {
    if names.namesID, let id = feature.tags["@id"] { return id }
    if let id = feature.id ?? feature.tags["@id"] { return id }
    if let type = feature.tags["osm_type"], let id = feature.tags["osm_id"] { return "\(type)/\(id)" }
    guard names.derivesIDs, let point = feature.shape.positions.first, let name = feature.tags["name"] else {
      return ""
    }
    return GymFieldNames.derivedID(latitude: point.latitude, longitude: point.longitude, name: name)
  }

  // MARK: JSON

  private func feature(_ bytes: ArraySlice<UInt8>) throws(GymFlaw) -> Feature {
    var (reader, feature, isFeature) = (JSONReader(bytes), Feature(), false)
    try reader.object { (name, reader) throws(GymFlaw) in
      switch name {
      case "type": isFeature = try reader.textOrNumeral() == "Feature"
      case "id": feature.id = try reader.textOrNumeral()
      case "geometry": feature.shape = try Self.shape(ofGeometry: &reader)
      case "properties": try readTags(&reader, into: &feature.tags)
      default: try reader.skip()
      }
    }
    guard isFeature else { throw GymFlaw("it is no feature") }
    guard reader.peek() == nil else { throw JSONReader.flaw }
    return feature
  }

  private func readTags(_ reader: inout JSONReader, into tags: inout [String: String]) throws(GymFlaw) {
    guard reader.peek() == UInt8(ascii: "{") else { return try reader.skip() }
    try reader.object { (name, reader) throws(GymFlaw) in
      if name == "tags", reader.peek() == UInt8(ascii: "{") {
        try reader.object { (name, reader) throws(GymFlaw) in try readTag(name, &reader, &tags) }
      } else {
        try readTag(name, &reader, &tags)
      }
    }
  }

  private func readTag(
    _ name: String, _ reader: inout JSONReader, _ tags: inout [String: String]
  ) throws(GymFlaw) {
    let isTag = Self.wanted.contains(name) && names.isTag(name)
    let others = names.tags(of: name)
    guard isTag || !others.isEmpty else { return try reader.skip() }
    guard let text = try reader.textOrNumeral(), !text.isEmpty else { return }
    if isTag { tags[name] = text }
    for tag in others { tags[tag] = text }
  }

  private static func shape(ofGeometry reader: inout JSONReader) throws(GymFlaw) -> Shape {
    guard reader.peek() == UInt8(ascii: "{") else {
      try reader.skip()
      return Shape()
    }
    var found = Shape()
    try reader.object { (name, reader) throws(GymFlaw) in
      if name == "coordinates" {
        try readPositions(&reader, into: &found, depth: 1)
      } else {
        try reader.skip()
      }
    }
    // The last point of a ring repeats the first.
    if found.positions.count > 1, found.positions.first == found.positions.last { found.positions.removeLast() }
    return found
  }

  private static func readPositions(
    _ reader: inout JSONReader, into found: inout Shape, depth: Int
  ) throws(GymFlaw) {
    var numbers: [Double] = []
    let (start, lines) = (found.positions.count, found.lines.count)
    try reader.array { (reader) throws(GymFlaw) in
      if reader.peek() == UInt8(ascii: "[") {
        guard depth < deepestCoordinates else { throw GymFlaw("its coordinates cannot be read") }
        try readPositions(&reader, into: &found, depth: depth + 1)
      } else {
        numbers.append(try reader.number())
      }
    }
    if !numbers.isEmpty {
      found.positions.append(try point(numbers))
    } else if found.lines.count == lines {
      // The innermost list of positions is a line.
      found.lines.append(Array(found.positions[start...]))
    }
  }

  /// - Parameter numbers: longitude and latitude, optionally altitude (RFC 7946, section 3.1.1).
  private static func point(_ numbers: [Double]) throws(GymFlaw) -> GeoPoint {
    guard numbers.count >= 2 else { throw GymFlaw("its coordinates cannot be read") }
    let (longitude, latitude) = (numbers[0], numbers[1])
    guard let point = GeoPoint(latitude: latitude, longitude: longitude) else {
      let isSwapped = GeoPoint(latitude: longitude, longitude: latitude) != nil
      throw GymFlaw(
        isSwapped
          ? "its coordinates are swapped: longitude comes first" : "its coordinates are nowhere on the Earth")
    }
    // Written by programs for missing coordinates.
    guard longitude != 0 || latitude != 0 else { throw GymFlaw("its coordinates are both zero") }
    return point
  }
}
