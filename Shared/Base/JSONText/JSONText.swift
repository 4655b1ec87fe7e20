/// Strings of JSON (RFC 8259, section 7).
public enum JSONText {
  /// `text` in quotes, with the required escapes.
  public static func quoted(_ text: String) -> String {
    var out = ""
    write(text, to: &out)
    return out
  }

  /// Appends `text` to `out`, in quotes.
  ///
  /// - Parameter isEscaped: whether a scalar of the Basic Multilingual Plane is written as an escape beside those that have to be.
  @inlinable
  public static func write(
    _ text: String, to out: inout String, escaping isEscaped: (Unicode.Scalar) -> Bool = { _ in false }
  ) {
    out += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where scalar.value < 0x20 || isEscaped(scalar): out += escape(scalar)
      default: out.unicodeScalars.append(scalar)
      }
    }
    out += "\""
  }

  @usableFromInline
  static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
