/// HTML in which every text that was put in is text: only literals of the program are markup.
///
/// ```swift
/// let greeting: HTML = "<p>Hello \(name),</p>"   // a name such as "<b>" is shown, not obeyed
/// ```
package struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The markup.
  package let markup: String

  package init(stringLiteral markup: String) { self.markup = markup }

  package init(stringInterpolation: Interpolation) { markup = stringInterpolation.markup }

  /// Collects markup and texts.
  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    package init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds markup that is written in the program.
    package mutating func appendLiteral(_ literal: String) { markup += literal }

    /// Adds a text, which may stand in content and in quoted attribute values.
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

    /// Adds markup that is safe already.
    package mutating func appendInterpolation(_ html: HTML) { markup += html.markup }
  }
}
