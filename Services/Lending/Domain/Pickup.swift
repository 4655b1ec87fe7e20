public import Geography
public import Identifiers
public import VisibleText

/// Where and when the borrower picks up a book ([LE-8]).
public struct Pickup: Sendable, Hashable {
  public let place: PickupPlace
  /// When the borrower can get it; `nil` if that was not agreed.
  public let time: Instant?

  /// The longest time before it, in days, as for a due date.
  public static let maxWait = DueDate.maxDays

  public init(_ place: PickupPlace, at time: Instant? = nil) { (self.place, self.time) = (place, time) }

  /// Whether a borrower can be asked to come then.
  public static func isAllowed(_ time: Instant, at now: Instant) -> Bool {
    time > now && time <= now + .seconds(86_400 * maxWait)
  }

  /// Whether it is what the owner chose before: what the loaded places say about it may have changed.
  public func isSameChoice(as other: Pickup?) -> Bool {
    guard let other, time == other.time else { return false }
    return switch (place, other.place) {
    case (.point(let one, _), .point(let two, _)): one == two
    case (.address(let one, _), .address(let two, _)): one == two
    case (.point, .address), (.address, .point): false
    }
  }
}

/// The pickup location of a loan.
public enum PickupPlace: Sendable, Hashable {
  /// A point that the owner chose on a map, and the known place nearest to it.
  case point(GeoPoint, NearbyPlace?)
  /// An address in a city, and where it is; `nil` for one from before positions were kept.
  case address(PickupAddress, FoundPlace?)
}

/// Where an address is, as far as the loaded places say.
public struct FoundPlace: Sendable, Hashable {
  public let point: GeoPoint
  /// The address is probably within this many metres of the point.
  public let precision: Int32
  /// `nil` for what was stored before it was kept.
  public let exactness: Exactness?

  public init(_ point: GeoPoint, precision: Int32, _ exactness: Exactness?) {
    (self.point, self.precision, self.exactness) = (point, precision, exactness)
  }
}

/// What an address is known by. The raw values are stored.
public enum Exactness: String, Sendable, Hashable, CaseIterable {
  case building = "BUILDING"
  case street = "STREET"
  /// Its postcode, as its street is not known.
  case postcode = "POSTCODE"
  /// Or a park, or another part of a city.
  case quarter = "QUARTER"
  /// The city alone, because none of its streets is loaded.
  case city = "CITY"
}

/// A known place near a point.
public struct NearbyPlace: Sendable, Hashable {
  public let name: String
  /// Empty if it is not known.
  public let city: String
  /// ISO 3166-1 alpha-2, in capitals.
  public let country: String
  /// Whole metres from the point.
  public let distance: Int32

  public init(name: String, city: String, country: String, distance: Int32) {
    (self.name, self.city, self.country, self.distance) = (name, city, country, distance)
  }
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
  public static let maxLength = 200
  /// As it may be written on an envelope; it is stored on one line.
  public static let lines = TextLines.several
}

public enum AddressLimit: TextLimit {
  public static let name = "The address"
  /// Code points.
  public static let maxLength = 200
  /// As it may be written on an envelope; it is stored on one line.
  public static let lines = TextLines.several
}
