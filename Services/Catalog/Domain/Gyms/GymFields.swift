public import VisibleText

public enum GymNameLimit: TextLimit {
  public static let name = "The name"
  /// Code points.
  public static let maxLength = 200
}

public enum AddressPartLimit: TextLimit {
  public static let name = "The address"
  /// Code points.
  public static let maxLength = 200
}

/// The limit of a telephone number, as written by its source.
public enum TelephoneLimit: TextLimit {
  public static let name = "The telephone number"
  /// Code points.
  public static let maxLength = 100
}

public enum WebsiteLimit: TextLimit {
  public static let name = "The website"
  /// Code points.
  public static let maxLength = 500
}

/// The limit of a text of opening hours; OpenStreetMap's own.
public enum OpeningHoursLimit: TextLimit {
  public static let name = "The opening hours"
  /// Code points.
  public static let maxLength = 255
}

/// The postal address of a gym; unknown parts are empty.
public struct GymAddress: Sendable, Equatable {
  public var street: String
  public var houseNumber: String
  /// As the country spells it.
  public var postcode: String
  public var city: String
  /// Two letters (ISO 3166).
  public var country: String

  public init(street: String, houseNumber: String, postcode: String, city: String, country: String) {
    (self.street, self.houseNumber, self.postcode) = (street, houseNumber, postcode)
    (self.city, self.country) = (city, country)
  }
}
