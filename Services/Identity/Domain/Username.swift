/// The name a user is known by: 3 to 30 of `a-z 0-9 _ .` ([ID-2]).
///
/// Upper-case letters may be typed. They are kept for display and ignored when names are compared.
public struct Username: Sendable, Hashable, CustomStringConvertible {
  /// The error message for an invalid name, other than one that is taken.
  public static let refusal = "The username must have 3 to 30 of the characters a-z, 0-9, _ and ."

  /// The name as its owner wrote it.
  public let spelling: String

  /// The name, or `nil` when its length or a character is not allowed.
  public init?(_ text: String) {
    guard (3...30).contains(text.utf8.count), text.utf8.allSatisfy(Self.isCharacter) else { return nil }
    spelling = text
  }

  static func isCharacter(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
  }

  /// The name in lower case, for comparison.
  public var key: String { spelling.lowercased() }

  public var description: String { spelling }

  /// Compares the keys.
  public static func == (first: Username, second: Username) -> Bool { first.key == second.key }

  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// The beginning of usernames in a search: 1 to 30 of the characters of usernames ([ID-24]).
public struct UsernamePrefix: Sendable, Hashable {
  /// The error message for an invalid prefix.
  public static let refusal = "Usernames have the characters a-z, 0-9, _ and . alone, and at most 30 of them"

  /// The text in lower case.
  public let key: String

  /// The prefix, or `nil` when no username can begin with it.
  public init?(_ text: String) {
    guard (1...30).contains(text.utf8.count), text.utf8.allSatisfy(Username.isCharacter) else { return nil }
    key = text.lowercased()
  }
}
