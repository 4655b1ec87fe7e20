public import Geography
public import VisibleText

/// The pickup location of a loan ([LE-8]).
public enum Pickup: Sendable, Hashable {
  /// A point that the owner chose on a map.
  case point(GeoPoint)
  /// An address in a city.
  case address(PickupAddress)
}

/// An address as the owner typed it; whether it lies in its city has not been checked.
public struct PickupAddress: Sendable, Hashable {
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

  /// The code of a country in capitals, however it was typed; `nil` for a text that is none.
  public static func country(_ typed: String) -> String? { Country.code(typed) }

  /// A typed city or address, with one space for all white space within.
  public static func line<Limit: TextLimit>(_ typed: String, of _: Limit.Type) -> Result<String, TextFlaw> {
    VisibleText<Limit>.read(typed).map { $0.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }
}

public enum CityLimit: TextLimit {
  public static let name = "The city"
  /// Code points.
  public static let most = 200
  /// As it may be written on an envelope; it is stored on one line.
  public static let lines = TextLines.several
}

public enum AddressLimit: TextLimit {
  public static let name = "The address"
  /// Code points.
  public static let most = 200
  /// As it may be written on an envelope; it is stored on one line.
  public static let lines = TextLines.several
}
