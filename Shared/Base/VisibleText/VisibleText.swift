public import FieldViolations

/// What a kind of text is called in errors, how long it may be, and whether it may have several lines.
public protocol TextLimit: Sendable {
  /// What an error calls the text: `The title`.
  static var name: String { get }
  /// The most characters, counted as code points of the text as it is stored.
  static var maxLength: Int { get }
  static var lines: TextLines { get }
  static var strayMarks: StrayMarks { get }
}

public enum TextLines: Sendable {
  case one
  /// Separated by `\n` or `\r\n`; tabs are allowed besides.
  case several
}

/// What becomes of marks that show nothing where they stand, as keyboards of some scripts add them: U+200B and others without a width, soft
/// hyphens, marks of direction.
public enum StrayMarks: Sendable {
  /// As any other invisible character: nobody types them where such a text is typed.
  case refused
  /// Left out, before the characters are counted.
  case cleaned
}

extension TextLimit {
  public static var lines: TextLines { .one }
  public static var strayMarks: StrayMarks { .refused }
}

/// A text that a user typed and others see ([C-12]): in NFC, without white space at its ends, not blank, no longer than its kind may be, and
/// without characters that hide something. ``CharacterScan`` says which these are.
public struct VisibleText<Limit: TextLimit>: Sendable, Hashable {
  public let text: String

  /// The text as it is stored, or what is wrong with what was typed.
  public static func read(_ typed: String) -> Result<VisibleText, TextFlaw> {
    switch checked(typed) {
    case .success(let text): .success(VisibleText(stored: text))
    case .failure(let fault): .failure(TextFlaw(of: Limit.name, fault))
    }
  }

  /// `nil` for a text that ``read(_:)`` refuses.
  public init?(_ typed: String) {
    guard case .success(let read) = Self.read(typed) else { return nil }
    self = read
  }

  /// A text of a collection, which no user is there to correct: characters that are invisible or change the direction of text are left out, of the
  /// rest ``read(_:)`` judges.
  public init?(cleaning source: String) { self.init(source.withoutHiddenCharacters) }

  /// A text that was checked before it was stored.
  public init(stored text: String) { self.text = text }

  /// Whether a typed text shows nothing, being of white space alone. One of other invisible characters is not blank: they are refused.
  public static func isBlank(_ typed: String) -> Bool {
    typed.unicodeScalars.allSatisfy { $0.isBlank || Limit.strayMarks == .cleaned && $0.isStrayMark }
  }

  private static func checked(_ typed: String) -> Result<String, TextFlaw.Fault> {
    // No character has more bytes than this, however it was typed: longer input is refused before it is looked at.
    guard typed.utf8.count <= maxBytes * (Limit.maxLength + 1) else { return .failure(.tooLong(most: Limit.maxLength)) }
    let composed = (Limit.strayMarks == .cleaned ? typed.withoutStrayMarks : typed).composed
    let trimmed = composed.trimmed
    if trimmed.isEmpty { return .failure(.blank) }
    guard trimmed.count <= Limit.maxLength else { return .failure(.tooLong(most: Limit.maxLength)) }
    if !typed.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
      let offset = composed.distance(from: composed.startIndex, to: trimmed.startIndex)
      var scan = CharacterScan(trimmed, after: offset, lines: Limit.lines)
      if let fault = scan.fault() { return .failure(fault) }
    }
    return .success(String(trimmed))
  }

  /// The most bytes that are typed for one code point in NFC: an accented letter with a mark, or a syllable of Hangul, in parts.
  private static var maxBytes: Int { 12 }
}

extension Violations {
  /// Passes the text through; adds a violation, which says what is wrong with it, for one that was refused.
  public mutating func require<Value>(
    _ field: String, _ text: Result<Value, TextFlaw>, _ reason: String
  ) -> Value? {
    switch text {
    case .success(let value): return value
    case .failure(let flaw):
      add(field, flaw.description, reason)
      return nil
    }
  }

  /// The same, by a reason of the contract.
  public mutating func require<Value>(
    _ field: String, _ text: Result<Value, TextFlaw>, _ reason: some RawRepresentable<String>
  ) -> Value? {
    require(field, text, reason.rawValue)
  }
}

extension String {
  /// The text without the invisible characters, and those that change its direction, that ``VisibleText`` refuses.
  public var withoutHiddenCharacters: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    var scan = CharacterScan(unicodeScalars, lines: .several)
    return String(String.UnicodeScalarView(scan.withoutHidden()))
  }

  /// The text without marks that show nothing where they stand.
  fileprivate var withoutStrayMarks: String {
    guard unicodeScalars.contains(where: \.isStrayMark) else { return self }
    var scan = CharacterScan(unicodeScalars, lines: .several)
    return String(String.UnicodeScalarView(scan.withoutStrayMarks()))
  }

  /// The code points in NFC.
  fileprivate var composed: UnicodeScalarView {
    if utf8.allSatisfy({ $0 < 0x80 }) { return unicodeScalars }
    // The standard library's own NFC; its name is underscored, but Foundation builds on it too.
    return String(decoding: _nfcCodeUnits, as: UTF8.self).unicodeScalars
  }
}

extension String.UnicodeScalarView {
  fileprivate var trimmed: Substring.UnicodeScalarView {
    let start = drop(while: \.isBlank)
    guard let end = start.lastIndex(where: { !$0.isBlank }) else { return start.prefix(0) }
    return start[...end]
  }
}

extension Unicode.Scalar {
  /// White space, or the pattern of Braille without dots. The control U+0085 is none, though Unicode calls it so: it is refused.
  fileprivate var isBlank: Bool {
    if value < 0xA0 { return value == 0x20 || (0x09...0x0D).contains(value) }
    return value == 0x2800 || properties.isWhitespace
  }
}
