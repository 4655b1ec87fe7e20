/// A borrower's comment on a return ([LE-10]): not empty, and without invisible characters.
public struct ReturnComment: Sendable, Hashable {
  /// The most characters, counted as Unicode code points: as many as a comment in the catalog may have.
  public static let most = 2_000
  private static let lineBreaks: Set<Unicode.Scalar> = ["\n", "\r", "\t"]

  /// Without white space at its ends.
  public let text: String

  /// `nil` for a text that is empty, too long, or has control characters.
  public init?(_ typed: String) {
    // A code point has at most four bytes: longer input is refused before it is trimmed.
    guard typed.utf8.count <= 8 * Self.most else { return nil }
    let start = typed.drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    let trimmed = String(start[...end])
    guard trimmed.unicodeScalars.count <= Self.most,
      trimmed.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control || Self.lineBreaks.contains($0) })
    else { return nil }
    text = trimmed
  }

  /// Whether a typed text is only white space, and so not stored.
  public static func isBlank(_ typed: String) -> Bool { typed.allSatisfy(\.isWhitespace) }
}
