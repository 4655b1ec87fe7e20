import TTRPC

/// A refusal that the comment of a method lists, as in ``- NOT_FOUND `BOOK_NOT_FOUND`, `SHARE_NOT_FOUND`: …``.
package struct ListedRefusal: Sendable, Equatable {
  package let code: Code
  package let reason: String

  package init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }

  private static let codes = Dictionary(
    Code.allCases.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// The refusals in the items of a comment's list, each once. What stands behind an item's colon explains them.
  package static func all(in comment: String) -> [ListedRefusal] {
    var found: [ListedRefusal] = []
    for item in items(of: comment) {
      var code: Code?
      var isQuoted = false
      for piece in item.split(separator: "`", omittingEmptySubsequences: false) {
        defer { isQuoted.toggle() }
        if isQuoted {
          guard let code, isReason(piece) else { continue }
          let refusal = ListedRefusal(code, String(piece))
          if !found.contains(refusal) { found.append(refusal) }
          continue
        }
        let head = piece.prefix { $0 != ":" }
        for word in head.split(whereSeparator: { !$0.isLetter && $0 != "_" }) {
          if let known = codes[String(word)] { code = known }
        }
        if head.count < piece.count { break }
      }
    }
    return found
  }

  /// The items of its lists that begin with a code, each on one line.
  private static func items(of comment: String) -> [String] {
    var (items, isOpen): ([String], Bool) = ([], false)
    for line in comment.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("- ") {
        let text = line.dropFirst(2)
        isOpen = codes[String(text.prefix { $0.isLetter || $0 == "_" })] != nil
        if isOpen { items.append(String(text)) }
      } else if line.hasPrefix("  "), isOpen, let last = items.indices.last {
        items[last].append(" ")
        items[last].append(contentsOf: line.drop { $0 == " " })
      } else {
        isOpen = false
      }
    }
    return items
  }

  private static func isReason(_ text: Substring) -> Bool {
    text.first?.isUppercase == true
      && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
  }
}
