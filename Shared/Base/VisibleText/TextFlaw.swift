/// Why a typed text is refused, as a sentence for the user.
public struct TextFlaw: Error, Sendable, Hashable, CustomStringConvertible {
  /// Places are counted from 1, in code points of the text in NFC, white space at its beginning included.
  public enum Fault: Error, Sendable, Hashable {
    case blank
    case tooLong(most: Int)
    /// In a text of one line.
    case lineBreak(at: Int)
    case control(Unicode.Scalar, at: Int)
    /// An embedding, an override or an isolate of the bidirectional algorithm.
    case direction(Unicode.Scalar, at: Int)
    case invisible(Unicode.Scalar, at: Int)
    /// Without a meaning that all agree on: unassigned, private, or no character at all.
    case undefined(Unicode.Scalar, at: Int)
    /// So many that they cover the lines above and below.
    case tooManyMarks(most: Int, at: Int)
    /// At the beginning, where it would join what is shown before the text.
    case leadingMark(Unicode.Scalar)
  }

  /// What the text is called: `The title`.
  public let name: String
  public let fault: Fault

  public init(of name: String, _ fault: Fault) { (self.name, self.fault) = (name, fault) }

  public var description: String { "\(name) \(predicate)" }

  private var predicate: String {
    switch fault {
    case .blank: "is empty"
    case .tooLong(let most): "has more than \(most) characters"
    case .lineBreak(let place): "has a line break at position \(place)"
    case .control(let scalar, let place): "has the control character \(scalar.code) at position \(place)"
    case .direction(let scalar, let place):
      "has the character \(scalar.code), which changes the direction of text, at position \(place)"
    case .invisible(let scalar, let place): "has the invisible character \(scalar.code) at position \(place)"
    case .undefined(let scalar, let place):
      "has the code point \(scalar.code), which is no character that others can see, at position \(place)"
    case .tooManyMarks(let most, let place): "has more than \(most) marks on one character at position \(place)"
    case .leadingMark(let scalar): "begins with the combining mark \(scalar.code)"
    }
  }
}

extension Unicode.Scalar {
  /// `U+200B`.
  fileprivate var code: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
