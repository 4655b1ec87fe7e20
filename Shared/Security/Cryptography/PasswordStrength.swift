import CZxcvbn
import WorkerPool

/// How hard a password is to guess, by zxcvbn (Wheeler, USENIX Security 2016).
public enum PasswordStrength: Int, Sendable, Comparable {
  /// Under 10^3 guesses, or one of the common passwords.
  case tooGuessable = 0
  /// Under 10^6 guesses.
  case veryGuessable = 1
  /// Under 10^8 guesses.
  case somewhatGuessable = 2
  /// Under 10^10 guesses: enough ([ID-3]).
  case safelyUnguessable = 3
  /// 10^10 guesses or more.
  case veryUnguessable = 4

  /// Code points that are rated: the search is quadratic, and a longer password is refused for its length.
  private static let judgedLength = 128
  private static let maxWordLength = 64
  private static let maxWords = 32

  /// Whether a password (NFC) is one of the common ones.
  public static func isCommon(_ password: String) -> Bool { CommonPasswords.contains(password) }

  /// Rates `password` (NFC) against an attacker who knows the words of `context`.
  ///
  /// - Parameter context: what is publicly known about the user, such as the username and e-mail address; each word is
  ///   also split at its punctuation.
  public init(of password: String, context: [String], on thread: borrowing PoolThread) {
    if CommonPasswords.contains(password) {
      self = .tooGuessable
      return
    }
    let bytes = Self.judged(password)
    let words = Self.words(context)
    // libzxcvbn returns bits; the cases are zxcvbn's, in guesses.
    switch Self.entropy(bytes, words) * 0.301_029_995_663_981_2 {
    case ..<3: self = .tooGuessable
    case ..<6: self = .veryGuessable
    case ..<8: self = .somewhatGuessable
    case ..<10: self = .safelyUnguessable
    default: self = .veryUnguessable
    }
  }

  /// Whether `weaker` takes fewer guesses than `stronger`.
  public static func < (weaker: PasswordStrength, stronger: PasswordStrength) -> Bool {
    weaker.rawValue < stronger.rawValue
  }

  private static func entropy(_ password: [CChar], _ words: [[CChar]]) -> Double {
    // One block for all the words, so that their addresses stay valid during the call.
    let block = words.flatMap { $0 }
    return block.withUnsafeBufferPointer { block in
      var start = block.baseAddress
      var pointers: [UnsafePointer<CChar>?] = []
      for word in words {
        pointers.append(start)
        start = start.map { $0 + word.count }
      }
      pointers.append(nil)
      return pointers.withUnsafeMutableBufferPointer { ZxcvbnMatch(password, $0.baseAddress, nil) }
    }
  }

  /// The text in the encoding that libzxcvbn wants, a byte for each character and a NUL at the end.
  ///
  /// libzxcvbn takes bytes for characters, so UTF-8 would count letters beyond ASCII twice or more, and hide
  /// repetitions. A NUL in the middle would hide what follows, so it becomes another control character.
  private static func bytes(_ text: String, limit: Int) -> [CChar] {
    text.unicodeScalars.prefix(limit).map { scalar in
      scalar.isASCII
        ? CChar(truncatingIfNeeded: max(1, scalar.value)) : CChar(truncatingIfNeeded: 0x80 | scalar.value & 0x7F)
    } + [0]
  }

  /// The part of a password that is rated.
  static func judged(_ password: String) -> [CChar] { bytes(password, limit: judgedLength) }

  /// The words that an attacker who knows the user would begin with: at most 32, each at most 64 bytes without its NUL.
  static func words(_ context: [String]) -> [[CChar]] {
    var words: [String] = []
    for text in context.map({ $0.lowercased() }) {
      words.append(text)
      words += text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
    // A word of one or two letters occurs in any password by chance.
    return words.filter { $0.count > 2 }.prefix(maxWords).map { bytes($0, limit: maxWordLength) }
  }
}
