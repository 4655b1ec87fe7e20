/// Swift source under construction, indented by two spaces a level.
struct SwiftText {
  private(set) var text = ""
  private var level = 0

  mutating func line(_ content: String = "") {
    text += content.isEmpty ? "\n" : String(repeating: "  ", count: level) + content + "\n"
  }

  /// Doc comment lines.
  mutating func comment(_ lines: [String]) {
    for content in lines { line(content.isEmpty ? "///" : "/// \(content)") }
  }

  /// `head {`, the body one level deeper, `}`.
  mutating func block<Failure: Error>(
    _ head: String, _ body: (inout SwiftText) throws(Failure) -> Void
  ) throws(Failure) {
    line(head + " {")
    level += 1
    try body(&self)
    level -= 1
    line("}")
  }

  /// `head`, the items one level deeper with commas between them, `tail`.
  mutating func list(_ head: String, _ items: [String], _ tail: String) {
    guard !items.isEmpty else { return line(head + tail) }
    line(head)
    level += 1
    for (index, item) in items.enumerated() { line(index + 1 < items.count ? item + "," : item + tail) }
    level -= 1
  }
}
