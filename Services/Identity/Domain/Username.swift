/// The name a person is known by: 3 to 30 of `a-z 0-9 _ .` ([ID-2]).
///
/// Capitals may be typed: they are kept for showing the name and make no difference between two names.
public struct Username: Sendable, Hashable, CustomStringConvertible {
  /// What a refusal says that is not about the name being taken.
  public static let refusal = "The username must have 3 to 30 of the characters a-z, 0-9, _ and ."

  /// The name as its owner wrote it.
  public let spelling: String

  /// The name, or `nil` when it has another length or another character.
  public init?(_ text: String) {
    let isWellFormed = text.utf8.allSatisfy {
      isLetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
    }
    guard (3...30).contains(text.utf8.count), isWellFormed else { return nil }
    spelling = text
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
