/// Usernames that would mislead other users about who is speaking ([ID-2]): those of operators and of the product, and
/// names that look like them.
///
/// A name is refused when it consists of such words alone, whatever separates them: `admin`, `Tandem_Support`, `r00t`.
/// A name that merely contains one, like `helpful` or `teamster`, is free.
public struct ReservedUsernames: Sendable {
  /// The error message for such a name.
  public static let refusal = "The username is reserved; choose another one"

  /// The words that are always reserved: the product, its operators, and the mailboxes of RFC 2142.
  public static let standard: [String] = [
    "tandem", "admin", "admins", "administrator", "administrators", "administration", "root", "superuser", "sysadmin",
    "system", "operator", "operators", "moderator", "moderators", "support", "helpdesk", "help", "staff", "team",
    "official", "security", "service", "services", "abuse", "postmaster", "hostmaster", "webmaster", "noreply",
    "billing", "accounts",
  ]

  /// The longest word that a name is compared with; no username is longer.
  private static let longest = 30

  /// In the form in which they are compared.
  private let words: Set<String>

  /// - Parameter more: further words, such as an operator's own name.
  public init(_ more: [String] = []) {
    words = Set((Self.standard + more).map(Self.skeleton).filter { !$0.isEmpty })
  }

  /// Whether the name consists of reserved words alone.
  public func contains(_ name: Username) -> Bool {
    let text = Array(Self.skeleton(name.spelling))
    // For each length whether so many characters from the beginning are whole words.
    var isWhole = [true] + Array(repeating: false, count: text.count)
    for end in stride(from: 1, through: text.count, by: 1) {
      isWhole[end] = (max(0, end - Self.longest)..<end).contains { start in
        isWhole[start] && words.contains(String(text[start..<end]))
      }
    }
    return !text.isEmpty && isWhole[text.count]
  }

  /// The form in which names that look alike are equal: without case and separators, and with one character for those
  /// that are mistaken for each other.
  static func skeleton(_ name: String) -> String {
    let letters = name.lowercased().compactMap { character -> Character? in
      character == "_" || character == "." ? nil : lookalikes[character] ?? character
    }
    return pairs.reduce(String(letters)) { text, pair in replacing(pair.looks, by: pair.like, in: text) }
  }

  private static let lookalikes: [Character: Character] = [
    "0": "o", "1": "l", "i": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b",
  ]

  private static let pairs = [(looks: "rn", like: "m"), (looks: "vv", like: "w")]

  private static func replacing(_ part: String, by other: String, in text: String) -> String {
    var (result, rest) = ("", text[...])
    while let first = rest.first {
      let isPart = rest.hasPrefix(part)
      if isPart { result += other } else { result.append(first) }
      rest = rest.dropFirst(isPart ? part.count : 1)
    }
    return result
  }
}
