/// How long a kind of text may be, and whether it may have several lines.
public protocol TextLimit: Sendable {
  /// The most characters, counted as Unicode code points.
  static var most: Int { get }
  /// What separates its lines; empty for a text of one line.
  static var lineBreaks: Set<Unicode.Scalar> { get }
}

extension TextLimit {
  /// One line.
  public static var lineBreaks: Set<Unicode.Scalar> { [] }
}

/// A text that a user typed: not empty, no longer than its kind may be, and without invisible characters.
public struct BoundedText<Limit: TextLimit>: Sendable, Hashable {
  /// Without white space at its ends.
  public let text: String

  /// The text, or `nil` when it is empty, too long, or has control characters.
  public init?(_ typed: String) {
    // A code point has at most four bytes: longer input is refused before it is trimmed.
    guard typed.utf8.count <= 8 * Limit.most else { return nil }
    let trimmed = Self.trimmed(typed)
    guard (1...Limit.most).contains(trimmed.unicodeScalars.count),
      trimmed.unicodeScalars.allSatisfy({ !Self.isControl($0) || Limit.lineBreaks.contains($0) })
    else { return nil }
    text = trimmed
  }

  /// A text that was checked before it was stored.
  public init(stored text: String) { self.text = text }

  /// Whether a typed text is only white space.
  public static func isBlank(_ typed: String) -> Bool { typed.allSatisfy(\.isWhitespace) }

  /// The characters of Unicode's category Cc, to which no version of Unicode adds; a lookup of the property takes seconds in a load of a
  /// million records.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }

  private static func trimmed(_ typed: String) -> String {
    let start = typed.drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
  }
}

public enum TitleLimit: TextLimit {
  /// Code points.
  public static let most = 500
}

public enum AuthorLimit: TextLimit {
  /// Code points.
  public static let most = 200
}

/// The limit of an owner's description of a book.
public enum DescriptionLimit: TextLimit {
  /// Code points.
  public static let most = 5_000
  /// A text of several lines.
  public static let lineBreaks: Set<Unicode.Scalar> = ["\n", "\r", "\t"]
}

public enum CommentLimit: TextLimit {
  /// Code points.
  public static let most = 2_000
  /// A text of several lines.
  public static let lineBreaks: Set<Unicode.Scalar> = ["\n", "\r", "\t"]
}

public enum LanguageLimit: TextLimit {
  /// Code points.
  public static let most = 35
}

public typealias Title = BoundedText<TitleLimit>
public typealias AuthorName = BoundedText<AuthorLimit>
/// An owner's description of a book.
public typealias BookDescription = BoundedText<DescriptionLimit>
/// A user's comment on a book.
public typealias CommentText = BoundedText<CommentLimit>
/// The language of an edition, as the user or the source spells it.
public typealias LanguageName = BoundedText<LanguageLimit>
