/// Text with words of other users, in a form of which mail programs make no links ([ID-44]).
///
/// Programs turn what looks like a URL, a domain or an address into a link by themselves, also in plain text. A hair
/// space, which is hardly visible, after the sign that gives it away prevents that: after a colon behind a letter
/// (`http://`), and after a dot, an at sign or a backslash before what can be a name of two characters or more.
package struct UnlinkedText: Sendable, Hashable, CustomStringConvertible {
  package let text: String

  private static let hairSpace: Unicode.Scalar = "\u{200A}"
  /// The dots of host names (UTS #46).
  private static let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
  private static let colons: Set<Unicode.Scalar> = [":", "\u{FF1A}"]
  private static let others: Set<Unicode.Scalar> = ["@", "\u{FF20}", "\u{FE6B}", "\\"]

  /// Accepts any text.
  package init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    var unlinked = String.UnicodeScalarView()
    for (place, scalar) in scalars.enumerated() {
      unlinked.append(scalar)
      if Self.endsLink(scalar, after: scalars[..<place].last, before: scalars[(place + 1)...].prefix(2)) {
        unlinked.append(Self.hairSpace)
      }
    }
    self.text = String(unlinked)
  }

  package var description: String { text }

  private static func endsLink(
    _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?, before next: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    if colons.contains(scalar) {
      return previous?.properties.isAlphabetic == true && next.first?.properties.isWhitespace == false
    }
    if dots.contains(scalar) || others.contains(scalar) { return next.count == 2 && next.allSatisfy(isOfName) }
    return false
  }

  /// Whether a scalar can be part of a host's name; a second backslash is, of a Windows path.
  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    if !scalar.isASCII { return !scalar.properties.isWhitespace }
    return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "\\"
  }
}
