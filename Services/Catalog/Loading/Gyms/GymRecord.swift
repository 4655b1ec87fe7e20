import CatalogDomain
import Geography
import VisibleText

/// A gym as a file's record describes it, validated and cut to the stored lengths.
struct GymRecord: Sendable, Equatable {
  /// The file's own id of it.
  var sourceID: String
  var name: String
  var point: GeoPoint
  var address: GymAddress
  var phone: String
  var website: String
  /// `nil` if neither the record nor the operator who loads it names one.
  var timeZone: String?
  var openingHours: String
  var capacity: Int?
  /// A `tsvector`.
  var words: String
  /// What the name is looked up by.
  var nameKey: String
  /// Of the building; `nil` for a point.
  var outline: GymOutline?
  /// How far from the point the building may reach; `nil` if the record does not say.
  var radius: Metres?

  private static let maxSourceIDLength = 60

  /// Validates a record. Invalid values are left out; id, name and position are required.
  ///
  /// - Parameters:
  ///   - names: the main name first; empty ones are skipped.
  ///   - points: the corners of a building, or its only point.
  ///   - rings: the closed lines among them.
  ///   - radius: in metres.
  init(
    sourceID: String, names: [String?], points: [GeoPoint], rings: [[GeoPoint]] = [], radius: String? = nil,
    address: GymAddress, phone: String?, website: String?,
    timeZone: String?, openingHours: String?, capacity: String?
  ) throws(GymFlaw) {
    guard !sourceID.isEmpty, sourceID.utf8.count <= Self.maxSourceIDLength,
      sourceID.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw GymFlaw("it has no usable id") }
    self.sourceID = sourceID
    let names = names.compactMap { $0.flatMap { VisibleText<GymNameLimit>(cleaning: $0)?.text } }
    guard let name = names.first else { throw GymFlaw("it has no usable name") }
    self.name = name
    guard let point = points.count == 1 ? points.first : GeoPoint(inTheMiddleOf: points) else {
      throw GymFlaw("it has no usable place")
    }
    self.point = point
    self.address = address
    self.phone = phone.flatMap { VisibleText<TelephoneLimit>(cleaning: $0)?.text } ?? ""
    self.website = website.flatMap(Self.website) ?? ""
    self.timeZone = timeZone
    self.openingHours = openingHours.flatMap { VisibleText<OpeningHoursLimit>(cleaning: $0)?.text } ?? ""
    self.capacity = capacity.flatMap { Int($0) }.flatMap { (1...GymUsage.maxPeople).contains($0) ? $0 : nil }
    let search = GymSearchText(names: names, address: address)
    (words, nameKey) = (search.vector, search.nameKey)
    outline = GymOutline(ofLargest: rings)
    self.radius = radius.flatMap { Double($0) }.flatMap { GymOutline.radii.contains($0) ? Metres($0) : nil }
  }

  /// A part of an address; empty if it is invalid.
  static func addressPart(_ text: String?) -> String {
    text.flatMap { VisibleText<AddressPartLimit>(cleaning: $0)?.text } ?? ""
  }

  /// The address of a web page; other schemes, such as scripts, are refused.
  private static func website(_ text: String) -> String? {
    guard let text = VisibleText<WebsiteLimit>(cleaning: text)?.text, !text.contains(where: \.isWhitespace) else {
      return nil
    }
    let beginning = text.prefix(8).lowercased()
    return beginning.hasPrefix("http://") || beginning.hasPrefix("https://") ? text : nil
  }
}

/// Why a record is not a usable gym.
struct GymFlaw: Error, Equatable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
