/// A telephone number in E.164: `+`, a country's code, at most 15 digits in all ([ID-23]).
public struct PhoneNumber: Sendable, Hashable, CustomStringConvertible {
  /// The error message for an invalid number.
  public static let refusal = "The phone number must be in international form, such as +6561234567"
  /// The shortest in use have seven digits with the country's code (Saint Helena, Niue).
  private static let digits = 7...15

  /// The number as it is dialled, e.g. `+6561234567`.
  public let description: String

  /// The number, or `nil` when it is not in that form; spaces and hyphens are not removed.
  public init?(_ text: String) {
    let number = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "+"), number.first != UInt8(ascii: "0"), number.allSatisfy(isDigit),
      Self.digits.contains(number.count)
    else { return nil }
    description = text
  }
}

/// A time zone's name in the form of the IANA database: `Asia/Singapore`, `Etc/GMT+5`, `UTC` ([C-8]).
///
/// Only the form is checked here; whether the zone exists is checked against the database.
public struct TimeZoneName: Sendable, Hashable, CustomStringConvertible {
  /// The error message for an invalid name.
  public static let refusal = "The time zone must be an IANA name, such as Asia/Singapore"
  private static let maximumLength = 64
  private static let maximumParts = 3

  public let description: String

  /// The name, or `nil` when it cannot be a zone name, including paths such as `../UTC`.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.maximumLength, parts.count <= Self.maximumParts, parts.allSatisfy(Self.isPart) else {
      return nil
    }
    description = text
  }

  private static func isPart(_ part: Substring.UTF8View) -> Bool {
    guard let first = part.first, isLetterOrDigit(first), !isDigit(first) else { return false }
    return part.allSatisfy { isLetterOrDigit($0) || "_+-".utf8.contains($0) }
  }
}
