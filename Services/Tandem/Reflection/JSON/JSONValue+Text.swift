import JSONText

// Written by ourselves, because Foundation's JSONEncoder and JSONSerialization write members in no order or by name, not in that of the
// value, change the digits of numbers, and do not escape the characters that turn text around on a terminal.

extension JSONValue {
  /// How the text is laid out.
  public enum Layout: Sendable {
    /// One member or element a line, two spaces a level.
    case indented
    /// All on one line, for logs and pipes that work by line.
    case oneLine
  }

  /// The value as JSON text, without a newline at the end.
  public func text(_ layout: Layout = .indented) -> String {
    var out = ""
    write(to: &out, layout, level: 0)
    return out
  }

  private func write(to out: inout String, _ layout: Layout, level: Int) {
    switch self {
    case .null: out += "null"
    case .bool(let value): out += value ? "true" : "false"
    case .number(let text): out += text
    case .string(let text): Self.write(text, to: &out)
    case .array(let elements):
      Self.write(elements, between: ("[", "]"), to: &out, layout, level) { element, out in
        element.write(to: &out, layout, level: level + 1)
      }
    case .object(let members):
      Self.write(members, between: ("{", "}"), to: &out, layout, level) { member, out in
        Self.write(member.name, to: &out)
        out += layout == .indented ? ": " : ":"
        member.value.write(to: &out, layout, level: level + 1)
      }
    }
  }

  private static func write<Item>(
    _ items: [Item], between brackets: (String, String), to out: inout String, _ layout: Layout, _ level: Int,
    _ write: (Item, inout String) -> Void
  ) {
    out += brackets.0
    for (index, item) in items.enumerated() {
      if index > 0 { out += "," }
      if layout == .indented { newLine(level + 1, in: &out) }
      write(item, &out)
    }
    if layout == .indented, !items.isEmpty { newLine(level, in: &out) }
    out += brackets.1
  }

  private static func newLine(_ level: Int, in out: inout String) {
    out += "\n" + String(repeating: "  ", count: level)
  }

  private static func write(_ text: String, to out: inout String) {
    JSONText.write(text, to: &out) { scalar in
      // They would affect the terminal that shows it.
      switch scalar {
      case "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
      default: false
      }
    }
  }
}
