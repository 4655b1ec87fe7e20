/// HTML in which every interpolated text is escaped: only literals of the program are markup.
///
/// ```swift
/// let greeting: HTML = "<p>Hello \(name),</p>"   // a name such as "<b>" is shown as text
/// ```
package struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
  package let markup: String

  package init(stringLiteral markup: String) { self.markup = markup }

  package init(stringInterpolation: Interpolation) { markup = stringInterpolation.markup }

  /// Collects literals and texts.
  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    package init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds a literal as markup.
    package mutating func appendLiteral(_ literal: String) { markup += literal }

    /// Adds escaped text, for content and quoted attribute values.
    package mutating func appendInterpolation(_ text: some StringProtocol) {
      for character in text.unicodeScalars {
        switch character {
        case "&": markup += "&amp;"
        case "<": markup += "&lt;"
        case ">": markup += "&gt;"
        case "\"": markup += "&quot;"
        case "'": markup += "&#39;"
        default: markup.unicodeScalars.append(character)
        }
      }
    }

    /// Adds safe markup unchanged.
    package mutating func appendInterpolation(_ html: HTML) { markup += html.markup }
  }
}
