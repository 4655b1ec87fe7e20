extension Schema {
  /// An integer from a number or a string; `1.0` and `1e2` are integers too.
  static func integer<Number: FixedWidthInteger>(
    _ json: JSONValue, _ type: Number.Type
  ) throws(MappingError) -> Number {
    let text: String
    switch json {
    case .number(let digits): text = digits
    case .string(let digits): text = digits
    default: throw MappingError("an integer should be here, not \(json.kind)")
    }
    if let first = text.utf8.first, first != UInt8(ascii: "+"), let value = Number(text) { return value }
    guard isNumber(text) else { throw MappingError("\"\(text)\" is not an integer") }
    // Integers that are written with a fraction or an exponent are, in practice, exact as doubles.
    guard let real = Double(text), real.rounded() == real else {
      throw MappingError("\(text) is not an integer")
    }
    guard let value = Number(exactly: real) else {
      throw MappingError("\(text) is out of range, which is \(Number.min) to \(Number.max)")
    }
    return value
  }

  static func floatingPoint<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ json: JSONValue
  ) throws(MappingError) -> Number {
    switch json {
    case .string("NaN"): return .nan
    case .string("Infinity"): return .infinity
    case .string("-Infinity"): return -.infinity
    case .number(let text), .string(let text):
      guard isNumber(text), let value = Number(text) else { throw MappingError("\"\(text)\" is not a number") }
      guard value.isFinite else { throw MappingError("\(text) is out of range") }
      return value
    default: throw MappingError("a number should be here, not \(json.kind)")
    }
  }

  /// Whether the text is a JSON number; Swift's own parsers accept more.
  private static func isNumber(_ text: String) -> Bool {
    do {
      if case .number(text) = try JSONValue(parsing: text) { return true }
      return false
    } catch {
      return false
    }
  }
}
