/// A password as it was typed, in Unicode normalisation form C; never shown in a log.
///
/// Every password, of a registration as of a login, passes through here, so keyboards that compose letters differently open the
/// same account (RFC 8265, section 4.2.2).
public struct Password: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Fewer code points are refused when a password is chosen ([ID-3]).
  public static let minimumLength = 8
  /// More code points are refused when a password is chosen, and cannot be right at a login ([ID-3]).
  public static let maximumLength = 128
  /// The smallest zxcvbn score that will do ([ID-3]).
  public static let sufficientScore = 3
  /// What a refusal says, whatever its cause.
  public static let refusal = "The password is not strong enough"

  /// At most four code points, of four bytes each, compose to one: longer input cannot come down to 128 and is not
  /// even normalised.
  private static let maxInputLength = 4 * 4 * maximumLength

  /// The password's UTF-8: what is hashed.
  public let bytes: [UInt8]

  /// The password, or `nil` when it is empty or has more than 128 code points after normalisation.
  public init?(_ typed: String) {
    guard (1...Self.maxInputLength).contains(typed.utf8.count) else { return nil }
    // The standard library's own NFC; its name is underscored, but Foundation builds on it too.
    bytes = typed._nfcCodeUnits
    guard codePoints <= Self.maximumLength else { return nil }
  }

  /// The password as text, for judging its strength.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether it may be chosen ([ID-3]).
  ///
  /// - Parameter score: zxcvbn's 0 to 4, given the username and e-mail address as context; 0 for the common ones.
  public func isAcceptable(score: Int) -> Bool {
    isLongEnough && score >= Self.sufficientScore
  }

  /// Whether it has as many code points as one that is chosen must have ([ID-3]).
  public var isLongEnough: Bool { codePoints >= Self.minimumLength }

  private var codePoints: Int {
    // Every byte of UTF-8 but the continuing ones begins a code point.
    bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
  }

  /// Never the password.
  public var description: String { "Password(redacted)" }
  /// Never the password.
  public var debugDescription: String { description }
  /// Shows nothing to `dump`.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
