/// The name a user is known by: 3 to 30 of `a-z 0-9 _ .` ([ID-2]).
///
/// Capitals may be typed: they are kept for showing the name and make no difference between two names.
public struct Username: Sendable, Hashable, CustomStringConvertible {
  /// What a refusal says that is not about the name being taken.
  public static let refusal = "The username must have 3 to 30 of the characters a-z, 0-9, _ and ."

  /// The name as its owner wrote it.
  public let spelling: String

  /// The name, or `nil` when it has another length or another character.
  public init?(_ text: String) {
    guard (3...30).contains(text.utf8.count), text.utf8.allSatisfy(Self.isCharacter) else { return nil }
    spelling = text
  }

  static func isCharacter(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
  }

  /// What makes two names the same: the name in lower case.
  public var key: String { spelling.lowercased() }

  /// The name as written.
  public var description: String { spelling }

  /// Whether both are the same name, whatever their case.
  public static func == (first: Username, second: Username) -> Bool { first.key == second.key }

  /// Hashes the key.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// What the username begins with that somebody looks for: 1 to 30 of the characters of usernames ([ID-24]).
public struct UsernamePrefix: Sendable, Hashable {
  /// What a refusal says.
  public static let refusal = "Usernames have the characters a-z, 0-9, _ and . alone, and at most 30 of them"

  /// The text in lower case.
  public let key: String

  /// The prefix, or `nil` when no username begins with it.
  public init?(_ text: String) {
    guard (1...30).contains(text.utf8.count), text.utf8.allSatisfy(Username.isCharacter) else { return nil }
    key = text.lowercased()
  }
}
