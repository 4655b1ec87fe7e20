import GatewayText

/// A JSON document that the desk composes, and pieces that others wrote as they are.
enum DeskJSON {
  case text(String)
  /// Unknown, and what is no number, is null.
  case number(Double?)
  case bool(Bool)
  case list([DeskJSON])
  case members(KeyValuePairs<String, DeskJSON>)
  /// JSON that a service or the command line wrote.
  case written([UInt8])

  static func text(_ text: String?) -> DeskJSON { text.map { .text($0) } ?? .number(nil) }

  var bytes: [UInt8] {
    var out: [UInt8] = []
    write(to: &out)
    return out
  }

  private func write(to out: inout [UInt8]) {
    switch self {
    case .text(let text): Self.write(text, to: &out)
    case .number(let value): Self.write(value, to: &out)
    case .bool(let value): out += Array((value ? "true" : "false").utf8)
    case .written(let bytes): out += bytes
    case .list(let elements):
      Self.enclose("[", "]", elements, to: &out) { $0.write(to: &$1) }
    case .members(let members):
      Self.enclose("{", "}", Array(members), to: &out) { member, out in
        Self.write(member.key, to: &out)
        out.append(UInt8(ascii: ":"))
        member.value.write(to: &out)
      }
    }
  }

  private static func enclose<Element>(
    _ opening: String, _ closing: String, _ elements: [Element], to out: inout [UInt8],
    _ write: (Element, inout [UInt8]) -> Void
  ) {
    out += Array(opening.utf8)
    for (index, element) in elements.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      write(element, &out)
    }
    out += Array(closing.utf8)
  }

  private static func write(_ text: String, to out: inout [UInt8]) {
    Array(text.utf8).withUnsafeBufferPointer { appendJSONString($0, to: &out) }
  }

  private static func write(_ value: Double?, to out: inout [UInt8]) {
    guard let value, value.isFinite else { return out += Array("null".utf8) }
    if let whole = Int64(exactly: value) { return out.append(decimal: whole) }
    // Three places are enough for a plot.
    let thousandths = (value * 1_000).rounded()
    guard let whole = Int64(exactly: thousandths) else { return out += Array("\(value)".utf8) }
    out += Array("\(Double(whole) / 1_000)".utf8)
  }
}
