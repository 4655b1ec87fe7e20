/// What a borrower says about a book while giving it back ([LE-10]): not empty, and without characters that do not show.
public struct ReturnComment: Sendable, Hashable {
  /// The most characters, counted as Unicode code points: as many as a comment in the catalog may have.
  public static let most = 2_000
  private static let lineBreaks: Set<Unicode.Scalar> = ["\n", "\r", "\t"]

  /// Without white space at its ends.
  public let text: String

  /// The comment, or `nil` when it is empty, too long, or has control characters.
  public init?(_ typed: String) {
    // A code point has four bytes at most: what is longer than that is not even trimmed.
    guard typed.utf8.count <= 8 * Self.most else { return nil }
    let start = typed.drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    let trimmed = String(start[...end])
    guard trimmed.unicodeScalars.count <= Self.most,
      trimmed.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control || Self.lineBreaks.contains($0) })
    else { return nil }
    text = trimmed
  }

  /// Whether somebody typed nothing but white space: nothing is saved then.
  public static func isBlank(_ typed: String) -> Bool { typed.allSatisfy(\.isWhitespace) }
}
