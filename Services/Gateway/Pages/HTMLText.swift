/// Text for HTML pages.
package enum HTMLText {
  /// The text as it stands in an element or in an attribute in double quotes: nothing of it is markup.
  package static func escaped(_ text: some StringProtocol) -> String {
    var out = ""
    out.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "'": out += "&#39;"
      // HTML has no way to write it.
      case "\0": out += "\u{FFFD}"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  /// A comment of the contract as paragraphs and lists, with what stands in backticks as code.
  package static func prose(_ text: String) -> String {
    var (out, item, paragraph): (String, [Substring], [Substring]) = ("", [], [])
    var isList = false
    func endParagraph() {
      if !paragraph.isEmpty { out += "<p>\(line(paragraph))</p>\n" }
      paragraph = []
    }
    func endItem() {
      if !item.isEmpty { out += "<li>\(line(item))</li>\n" }
      item = []
    }
    func endList() {
      endItem()
      if isList { out += "</ul>\n" }
      isList = false
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("- ") {
        endParagraph()
        endItem()
        if !isList { out += "<ul>\n" }
        isList = true
        item = [line.dropFirst(2)]
      } else if isList, line.hasPrefix("  ") {
        item.append(line.drop { $0 == " " })
      } else {
        endList()
        if line.isEmpty { endParagraph() } else { paragraph.append(line) }
      }
    }
    endList()
    endParagraph()
    return out
  }

  private static func line(_ lines: [Substring]) -> String {
    let pieces = escaped(lines.joined(separator: " ")).split(separator: "`", omittingEmptySubsequences: false)
    // A backtick without its other half stays as it is.
    guard pieces.count % 2 == 1 else { return pieces.joined(separator: "`") }
    return pieces.enumerated().map { $0 % 2 == 1 ? "<code>\($1)</code>" : String($1) }.joined()
  }

  /// A whole page.
  ///
  /// - Parameters:
  ///   - head: further elements of the head, in HTML.
  ///   - body: the content, in HTML.
  package static func page(title: String, head: String = "", body: String) -> [UInt8] {
    Array(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(escaped(title))</title>
      <link rel="stylesheet" href="\(PageAssets.stylePath)">
      \(head)</head>
      <body>
      <main>
      \(body)
      </main>
      </body>
      </html>

      """.utf8)
  }
}
