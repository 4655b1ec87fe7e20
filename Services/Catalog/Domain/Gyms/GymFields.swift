/// The limit of a gym's name.
public enum GymNameLimit: TextLimit {
  /// Code points.
  public static let most = 200
}

/// The limit of a part of an address.
public enum AddressPartLimit: TextLimit {
  /// Code points.
  public static let most = 200
}

/// The limit of a telephone number, as people write it.
public enum TelephoneLimit: TextLimit {
  /// Code points.
  public static let most = 100
}

/// The limit of a web page's address.
public enum WebsiteLimit: TextLimit {
  /// Code points.
  public static let most = 500
}

/// The limit of opening hours; OpenStreetMap's own.
public enum OpeningHoursLimit: TextLimit {
  /// Code points.
  public static let most = 255
}

/// Where a gym is, in words; what nobody knows is empty.
public struct GymAddress: Sendable, Equatable {
  /// The street's name.
  public var street: String
  /// The number in the street.
  public var houseNumber: String
  /// As the country spells it.
  public var postcode: String
  /// The town.
  public var city: String
  /// Two letters.
  public var country: String

  /// Names the parts.
  public init(street: String, houseNumber: String, postcode: String, city: String, country: String) {
    (self.street, self.houseNumber, self.postcode) = (street, houseNumber, postcode)
    (self.city, self.country) = (city, country)
  }
}
