/// A token of a text of opening hours.
enum HoursToken: Equatable {
  /// Letters, in lower case.
  case name(String)
  /// 1 to 4 digits.
  case number(Int, digits: Int)
  /// One of `-:,;/`.
  case sign(Character)

  /// The tokens of `text`; `nil` if it has other characters.
  static func all(in text: String) -> [HoursToken]? {
    var tokens: [HoursToken] = []
    var rest = ArraySlice(text.utf8)
    while let first = rest.first {
      switch first {
      case UInt8(ascii: " "), UInt8(ascii: "\t"): rest.removeFirst()
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard digits.count <= 4 else { return nil }
        tokens.append(.number(digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }, digits: digits.count))
        rest = rest.dropFirst(digits.count)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        let letters = rest.prefix { isLetter($0) }
        tokens.append(.name(String(decoding: letters, as: UTF8.self).lowercased()))
        rest = rest.dropFirst(letters.count)
      default:
        guard let (spelling, sign) = signs.first(where: { rest.starts(with: $0.0) }) else { return nil }
        if let sign { tokens.append(.sign(sign)) }
        rest = rest.dropFirst(spelling.count)
      }
    }
    return tokens
  }

  /// Signs as they are written, including the dashes that word processors turn a hyphen into, and the no-break space.
  private static let signs: [([UInt8], Character?)] = [
    ("-", "-"), (":", ":"), (",", ","), (";", ";"), ("/", "/"), ("–", "-"), ("—", "-"), ("\u{A0}", nil),
  ].map { (Array(($0.0 as String).utf8), $0.1) }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
