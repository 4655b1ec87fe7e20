public import Geography

/// The pickup location of a loan ([LE-8]).
public enum Pickup: Sendable, Hashable {
  /// A point that the owner chose on a map.
  case point(GeoPoint)
  /// An address in a city.
  case address(PickupAddress)
}

/// An address as the owner typed it; whether it lies in its city has not been checked.
public struct PickupAddress: Sendable, Hashable {
  /// The most characters of a city's name or an address, counted as Unicode code points.
  public static let most = 200

  /// ISO 3166-1 alpha-2, in capitals.
  public let country: String
  /// As it was typed, without white space at its ends.
  public let city: String
  /// As it was typed, without white space at its ends.
  public let address: String

  public init(country: String, city: String, address: String) {
    (self.country, self.city, self.address) = (country, city, address)
  }

  /// Whether a text has the form of a country code: two capitals.
  public static func isCountry(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  /// A text without white space at its ends; `nil` if it is empty, too long, or has control characters.
  public static func line(_ typed: String) -> String? {
    guard typed.utf8.count <= 8 * most else { return nil }
    let words = typed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !words.isEmpty, words.unicodeScalars.count <= most,
      words.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    return words
  }
}
