/// The plain text of HTML. Whatever looks like a tag is removed entirely, so that the text is safe to show anywhere.
enum PlainText {
  /// Tags that end a line.
  private static let breaks: Set<String> = [
    "p", "br", "li", "ul", "ol", "div", "tr", "h1", "h2", "h3", "h4", "h5", "h6",
  ]
  private static let entities: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—", "deg": "°",
  ]
  /// A longer name is not an entity.
  private static let maxEntityLength = 10

  /// The lines that are not empty, with single spaces.
  static func lines(ofHTML html: String) -> [String] {
    var text = ""
    var rest = Substring(html)
    while let character = rest.first {
      switch character {
      case "<": text += takeTag(&rest)
      case "&": text += takeEntity(&rest)
      case "\n", "\r\n", "\t":
        text += " "
        rest = rest.dropFirst()
      default:
        text.append(character)
        rest = rest.dropFirst()
      }
    }
    return text.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }
  }

  /// A line break for a tag that ends a line. A `<` that does not begin a tag stays.
  private static func takeTag(_ rest: inout Substring) -> String {
    let name = rest.dropFirst().drop { $0 == "/" }.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
    let begins = rest.dropFirst().first
    guard begins == "!" || begins == "/" || !name.isEmpty, let end = rest.firstIndex(of: ">") else {
      rest = rest.dropFirst()
      return "<"
    }
    rest = rest[rest.index(after: end)...]
    return breaks.contains(name) ? "\n" : ""
  }

  private static func takeEntity(_ rest: inout Substring) -> String {
    let name = rest.dropFirst().prefix(maxEntityLength).prefix { $0 != ";" }
    let end = rest.index(rest.startIndex, offsetBy: name.count + 1)
    guard end < rest.endIndex, rest[end] == ";", let meant = entities[String(name)] ?? character(name) else {
      rest = rest.dropFirst()
      return "&"
    }
    rest = rest[rest.index(after: end)...]
    return meant
  }

  /// The character of `#39` or `#x27`.
  private static func character(_ name: Substring) -> String? {
    guard name.first == "#" else { return nil }
    let digits = name.dropFirst()
    let isHex = digits.first == "x" || digits.first == "X"
    let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap { Unicode.Scalar($0) }.map { String($0) }
  }
}
