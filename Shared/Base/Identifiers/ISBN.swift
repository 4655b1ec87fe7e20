/// The number of an edition: ISBN-10 and ISBN-13 are two spellings of one value (ISO 2108:2017).
public struct ISBN: Sendable, Hashable, CustomStringConvertible {
  /// The message for a user who entered an invalid one.
  public static let refusal = "This is not a valid ISBN"

  /// Longer texts are not looked at: 13 digits with a separator beside each, and some room.
  private static let maxTextLength = 40
  /// Digits of an ISBN-10 that lost its leading zeros in a spreadsheet: the lowest of its prefixes begin with three.
  private static let shortenedLengths = 7...9

  /// The 13 digits as a number; it begins with 978 or 979.
  public let number: Int64

  /// The ISBN that `text` spells: 10 or 13 digits with the right check digit, with or without hyphens and spaces, with
  /// `x` or `X`. A number under 979-0 is an ISMN, of printed music, and none.
  ///
  /// 7 to 9 digits without a separator are an ISBN-10 that lost its leading zeros, if its check digit is right.
  public init?(_ text: String) {
    if let isbn = ISBN(complete: text) {
      self = isbn
      return
    }
    guard Self.shortenedLengths.contains(text.utf8.count), let characters = Self.characters(of: text),
      characters.count == text.utf8.count
    else { return nil }
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 10 - characters.count)
    guard let number = Self.number(ofISBN10: zeros + characters) else { return nil }
    self.number = number
  }

  /// The ISBN that `text` spells with all its digits, 10 or 13.
  public init?(complete text: String) {
    guard text.utf8.count <= Self.maxTextLength, let characters = Self.characters(of: text) else { return nil }
    let found = characters.count == 10 ? Self.number(ofISBN10: characters) : Self.number(ofISBN13: characters)
    guard let found else { return nil }
    number = found
  }

  /// The ISBN with a `number` that was stored.
  public init(stored number: Int64) { self.number = number }

  /// 13 digits without separators.
  public var description: String { "\(number)" }

  /// The ISBN-10; `nil` for numbers under 979, which have none.
  public var isbn10: String? {
    let digits = Array(description.utf8).map { Int($0 - UInt8(ascii: "0")) }
    guard digits.starts(with: [9, 7, 8]) else { return nil }
    let payload = digits[3..<12]
    let sum = zip(payload, 0...).reduce(0) { $0 + $1.0 * (10 - $1.1) }
    let check = (11 - sum % 11) % 11
    return payload.map(String.init).joined() + (check == 10 ? "X" : "\(check)")
  }

  /// The digits, and an `X` where one may be; `nil` when there are any other characters but separators.
  private static func characters(of text: String) -> [UInt8]? {
    var characters: [UInt8] = []
    for scalar in text.unicodeScalars where !separators.contains(scalar) {
      switch scalar {
      case "0"..."9": characters.append(UInt8(truncatingIfNeeded: scalar.value))
      case "x", "X": characters.append(UInt8(ascii: "X"))
      default: return nil
      }
    }
    return characters
  }

  /// Hyphens and spaces as keyboards, word processors and web pages have them.
  private static let separators: Set<Unicode.Scalar> = [
    "-", " ", "\u{A0}", "\u{2009}", "\u{202F}", "\u{AD}", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2212}",
  ]

  private static func number(ofISBN10 characters: [UInt8]) -> Int64? {
    let hasX = characters.last == UInt8(ascii: "X")
    guard characters.count == 10, let payload = digits(characters.dropLast()),
      let check = hasX ? 10 : digits(characters.suffix(1))?.first
    else { return nil }
    let sum = zip(payload, 0...).reduce(check) { $0 + $1.0 * (10 - Int64($1.1)) }
    guard sum % 11 == 0 else { return nil }
    let first12 = [9, 7, 8] + payload
    return number(first12 + [checkDigit(ofFirst12: first12)])
  }

  private static func number(ofISBN13 characters: [UInt8]) -> Int64? {
    guard characters.count == 13, let digits = digits(characters[...]), digits[0] == 9, digits[1] == 7,
      // 979-0 is for printed music (ISMN, ISO 10957).
      digits[2] == 8 || (digits[2] == 9 && digits[3] != 0),
      checkDigit(ofFirst12: Array(digits.dropLast())) == digits[12]
    else { return nil }
    return number(digits)
  }

  private static func checkDigit(ofFirst12 digits: [Int64]) -> Int64 {
    let sum = zip(digits, 0...).reduce(0) { $0 + $1.0 * ($1.1 % 2 == 0 ? 1 : 3) }
    return (10 - sum % 10) % 10
  }

  private static func digits(_ characters: ArraySlice<UInt8>) -> [Int64]? {
    guard !characters.contains(UInt8(ascii: "X")) else { return nil }
    return characters.map { Int64($0 - UInt8(ascii: "0")) }
  }

  private static func number(_ digits: [Int64]) -> Int64 { digits.reduce(0) { $0 * 10 + $1 } }
}
