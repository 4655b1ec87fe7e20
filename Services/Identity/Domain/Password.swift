/// A password in Unicode normalisation form C; never written to a log.
///
/// Every password, at registration and at login, passes through here, so keyboards that compose letters differently
/// give the same password (RFC 8265, section 4.2.2).
public struct Password: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Minimum code points of a new password ([ID-3]).
  public static let minimumLength = 8
  /// Maximum code points of a new password; a longer one cannot be right at a login ([ID-3]).
  public static let maximumLength = 128
  /// Minimum zxcvbn score of a new password ([ID-3]).
  public static let sufficientScore = 3
  /// The error message for every rejected password.
  public static let refusal = "The password is not strong enough"

  /// In bytes. At most four code points, of four bytes each, compose to one: longer input cannot come down to 128 and
  /// is not even normalised.
  private static let maxInputLength = 4 * 4 * maximumLength

  /// The password in UTF-8, which is hashed.
  public let bytes: [UInt8]

  /// The password, or `nil` when it is empty or has more than 128 code points after normalisation.
  public init?(_ typed: String) {
    guard (1...Self.maxInputLength).contains(typed.utf8.count) else { return nil }
    // The standard library's own NFC. Its name is underscored, but Foundation uses it too.
    bytes = typed._nfcCodeUnits
    guard codePoints <= Self.maximumLength else { return nil }
  }

  /// The password as text, for the strength check.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The part of the rule that a text fails which may not be chosen as a new password ([ID-3]).
  public enum Weakness: String, Error, Sendable, Hashable {
    case tooShort = "TOO_SHORT"
    case tooLong = "TOO_LONG"
    /// One of the common passwords.
    case common = "COMMON"
    /// zxcvbn's score is too low.
    case guessable = "GUESSABLE"

    /// The end of a sentence that begins with ``Password/refusal`` and a colon.
    public var text: String {
      switch self {
      case .tooShort: "it has fewer than \(Password.minimumLength) characters"
      case .tooLong: "it has more than \(Password.maximumLength) characters"
      case .common: "it is one of the most common ones"
      case .guessable: "it is too easy to guess"
      }
    }
  }

  /// The password, if it has the length of a new one ([ID-3]).
  public static func ofNewLength(_ typed: String) -> Result<Password, Weakness> {
    guard !typed.isEmpty else { return .failure(.tooShort) }
    guard let password = Password(typed) else { return .failure(.tooLong) }
    return password.isLongEnough ? .success(password) : .failure(.tooShort)
  }

  /// Whether it may be chosen as a new password ([ID-3]).
  ///
  /// - Parameter score: zxcvbn's score, 0 to 4, with the username and e-mail address as context; 0 for common
  ///   passwords.
  public func isAcceptable(score: Int) -> Bool {
    isLongEnough && score >= Self.sufficientScore
  }

  /// Whether it has the minimum length of a new password ([ID-3]).
  public var isLongEnough: Bool { codePoints >= Self.minimumLength }

  private var codePoints: Int {
    // Every UTF-8 byte except continuation bytes begins a code point.
    bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
  }

  public var description: String { "Password(redacted)" }
  public var debugDescription: String { description }
  /// Hides the password from `dump`.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
