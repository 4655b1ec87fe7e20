import Geography
import LendingDomain

/// A line of GeoNames' postcodes, validated (https://download.geonames.org/export/zip/readme.txt).
package struct PostcodeRecord: Sendable, Equatable {
  /// ISO 3166-1 alpha-2.
  package let country: String
  /// As ``LendingDomain/Postcode/key(_:)`` spells it.
  package let key: String
  /// The place that it stands for.
  package let name: String
  package let point: GeoPoint
  /// An address with it is probably within this many metres of the point.
  package let precision: Int32

  /// The positions of columns; the file has no header.
  private enum Column: Int {
    case country = 0
    case postcode = 1
    case name = 2
    case latitude = 9
    case longitude = 10
    case accuracy = 11
  }

  static let columns = 12

  /// Metres, by the file's column of accuracy: 6 is the centre of its addresses or its area, 4 the place that it stands for, less is
  /// estimated.
  private static func precision(_ accuracy: Int) -> Int32 {
    switch accuracy {
    case 6...: 1_000
    case 4...5: 3_000
    default: 5_000
    }
  }

  /// Parses a line; `nil` for one that does not have the columns of a postcode.
  package init?(line: String) throws(PlaceRecord.Flaw) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count == Self.columns else { return nil }
    func text(_ column: Column) -> String { String(fields[column.rawValue]) }
    guard PickupAddress.isCountry(text(.country)) else {
      throw PlaceRecord.Flaw("its country is no code of two capitals")
    }
    guard let key = Postcode.key(text(.postcode)) else { throw PlaceRecord.Flaw("it has no postcode") }
    guard let latitude = Double(text(.latitude)), let longitude = Double(text(.longitude)),
      let point = GeoPoint(latitude: latitude, longitude: longitude)
    else { throw PlaceRecord.Flaw("it lies nowhere on Earth") }
    (self.country, self.key, self.point) = (text(.country), key, point)
    name = String(text(.name).prefix(PlaceRecord.maxNameLength))
    guard name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw PlaceRecord.Flaw("its place has characters that do not show")
    }
    precision = Self.precision(Int(text(.accuracy)) ?? 0)
  }
}
