import CatalogDomain
import Geography

/// What a record of a file says about a gym, judged and cut to what is stored.
struct GymRecord: Sendable, Equatable {
  /// What the file calls it.
  var sourceID: String
  var name: String
  var point: GeoPoint
  var address: GymAddress
  var phone: String
  var website: String
  /// `nil` where neither the record nor who loads it says.
  var timeZone: String?
  var openingHours: String
  var capacity: Int?
  /// A `tsvector`.
  var words: String

  private static let maxSourceIDLength = 60

  /// Judges what a record says; what is none of its kind is left out, but for id, name and place, without which it is no gym.
  ///
  /// - Parameters:
  ///   - names: the one to show first; empty ones are passed over.
  ///   - points: the corners of a building, or its only point.
  init(
    sourceID: String, names: [String?], points: [GeoPoint], address: GymAddress, phone: String?, website: String?,
    timeZone: String?, openingHours: String?, capacity: String?
  ) throws(GymFlaw) {
    guard !sourceID.isEmpty, sourceID.utf8.count <= Self.maxSourceIDLength,
      sourceID.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw GymFlaw("it has no usable id") }
    self.sourceID = sourceID
    let names = names.compactMap { $0.flatMap { BoundedText<GymNameLimit>($0)?.text } }
    guard let name = names.first else { throw GymFlaw("it has no usable name") }
    self.name = name
    guard let point = points.count == 1 ? points.first : GeoPoint(inTheMiddleOf: points) else {
      throw GymFlaw("it has no usable place")
    }
    self.point = point
    self.address = address
    self.phone = phone.flatMap { BoundedText<TelephoneLimit>($0)?.text } ?? ""
    self.website = website.flatMap(Self.website) ?? ""
    self.timeZone = timeZone
    self.openingHours = openingHours.flatMap { BoundedText<OpeningHoursLimit>($0)?.text } ?? ""
    self.capacity = capacity.flatMap { Int($0) }.flatMap { (1...GymUsage.maxPeople).contains($0) ? $0 : nil }
    words = GymSearchText(names: names, address: address).vector
  }

  /// A part of an address; empty when it is none.
  static func addressPart(_ text: String?) -> String { text.flatMap { BoundedText<AddressPartLimit>($0)?.text } ?? "" }

  /// The address of a page, and nothing that a client would run.
  private static func website(_ text: String) -> String? {
    guard let text = BoundedText<WebsiteLimit>(text)?.text, !text.contains(where: \.isWhitespace) else { return nil }
    let beginning = text.prefix(8).lowercased()
    return beginning.hasPrefix("http://") || beginning.hasPrefix("https://") ? text : nil
  }
}

/// Why a record cannot be a gym.
struct GymFlaw: Error, Equatable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
