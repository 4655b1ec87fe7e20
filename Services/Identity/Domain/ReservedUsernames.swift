/// Usernames that would mislead other users about who is speaking ([ID-2]): those of operators and of the product, names
/// that look like them, and names of nothing but separators.
///
/// A name is refused when it consists of such words, with digits and words that say nothing, whatever separates them:
/// `admin`, `Tandem_Support`, `r00t`, `admin1`, `the.tandem.team`. A name that merely contains one, like `helpful` or
/// `teamster`, is free.
public struct ReservedUsernames: Sendable {
  /// The error message for such a name.
  public static let refusal = "The username is reserved; choose another one"

  /// The words that are always reserved: the product, its operators and what they do, the mailboxes of RFC 2142, and what
  /// stands in place of a name.
  public static let standard: [String] = [
    "tandem", "admin", "admins", "administrator", "administrators", "administration", "root", "superuser", "sysadmin",
    "sysop", "system", "operator", "operators", "operations", "moderator", "moderators", "moderation", "mods",
    "support",
    "helpdesk", "help", "staff", "team", "official", "security", "safety", "trust", "service", "services", "server",
    "abuse", "postmaster", "hostmaster", "webmaster", "mailerdaemon", "noreply", "donotreply", "newsletter", "billing",
    "payment", "payments", "invoice", "invoices", "refund", "refunds", "account", "accounts", "customer", "customers",
    "customercare", "compliance", "legal", "privacy", "verification", "verify", "notification", "notifications",
    "alert",
    "alerts", "emergency", "deleted", "anonymous", "everyone", "everybody", "nobody", "undefined",
  ]

  /// Words that make no other name of a reserved one.
  static let fillers: [String] = [
    "the", "our", "your", "my", "for", "of", "and", "by", "from", "at", "us", "real", "new", "app", "online", "hq",
    "inc",
    "ltd", "llc", "com", "org", "net", "www", "user", "users", "desk", "center", "centre", "care", "dept", "department",
  ]

  /// The longest word that a name is compared with; no username is longer.
  private static let maxLength = 30

  /// In the form in which they are compared.
  private let words: Set<[Character]>

  /// In the form in which they are compared.
  private static let fillerSkeletons = Set(fillers.map { skeleton($0).map(\.character) })

  /// - Parameter more: further words, such as an operator's own name.
  public init(_ more: [String] = []) {
    words = Set((Self.standard + more).map { Self.skeleton($0).map(\.character) }.filter { !$0.isEmpty })
  }

  /// What the beginning of a name consists of.
  private enum Beginning: Int, Comparable {
    case other
    /// Of digits and words that say nothing, or of nothing.
    case fillers
    /// Of these and a reserved word at least.
    case reserved

    static func < (one: Beginning, other: Beginning) -> Bool { one.rawValue < other.rawValue }
  }

  /// Whether the name consists of a reserved word at least, other such words, fillers and digits.
  public func contains(_ name: Username) -> Bool {
    let text = Self.skeleton(name.spelling)
    guard !text.isEmpty else { return true }
    let characters = text.map(\.character)
    var beginnings = [Beginning.fillers]
    for end in 1...text.count {
      var best = text[end - 1].isDigit ? beginnings[end - 1] : .other
      for start in max(0, end - Self.maxLength)..<end where beginnings[start] != .other {
        let word = Array(characters[start..<end])
        if words.contains(word) { best = .reserved }
        if Self.fillerSkeletons.contains(word) { best = max(best, beginnings[start]) }
      }
      beginnings.append(best)
    }
    return beginnings[text.count] == .reserved
  }

  /// A character of a name in the form in which names that look alike are equal.
  struct Look: Sendable, Hashable {
    let character: Character
    /// Whether the name has a digit there, which may stand for a letter or for nothing.
    let isDigit: Bool
  }

  /// The form in which names that look alike are equal: without case and separators, and with one character for those
  /// that are mistaken for each other.
  static func skeleton(_ name: String) -> [Look] {
    let letters = name.lowercased().compactMap { character -> Look? in
      if character == "_" || character == "." { return nil }
      return Look(character: lookalikes[character] ?? character, isDigit: ("0"..."9").contains(character))
    }
    return pairs.reduce(letters) { text, pair in replacing(pair.looks, by: pair.like, in: text) }
  }

  private static let lookalikes: [Character: Character] = [
    "0": "o", "1": "l", "i": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g",
  ]

  private static let pairs: [(looks: [Character], like: Character)] = [
    (["r", "n"], "m"), (["v", "v"], "w"), (["c", "l"], "d"),
  ]

  private static func replacing(_ pair: [Character], by other: Character, in text: [Look]) -> [Look] {
    var (result, place) = ([Look](), 0)
    while place < text.count {
      let part = text[place...].prefix(pair.count)
      let isPair = part.map(\.character) == pair
      result.append(isPair ? Look(character: other, isDigit: part.allSatisfy(\.isDigit)) : text[place])
      place += isPair ? pair.count : 1
    }
    return result
  }
}
