/// The parts of SQL that matter here: what is code, and what is quoted or a comment.
enum SQLText {
  enum Kind { case code, quoted, comment }

  /// Splits `text` into code, quoted text and comments, in order.
  static func segments(_ text: String) -> [(kind: Kind, text: Substring)] {
    var segments: [(Kind, Substring)] = []
    var (start, place) = (text.startIndex, text.startIndex)
    func close(_ end: String.Index, _ kind: Kind, _ next: String.Index) {
      if start < end { segments.append((.code, text[start..<end])) }
      segments.append((kind, text[end..<next]))
      start = next
    }
    while place < text.endIndex {
      let rest = text[place...]
      var end: String.Index?
      var kind = Kind.quoted
      if rest.hasPrefix("--") {
        (end, kind) = (rest.firstIndex(of: "\n") ?? text.endIndex, .comment)
      } else if rest.hasPrefix("/*") {
        (end, kind) = (rest.range(of: "*/")?.upperBound ?? text.endIndex, .comment)
      } else if let quote = rest.first, quote == "'" || quote == "\"" {
        end = closing(quote, in: rest)
      } else if rest.hasPrefix("$$") {
        end = rest.dropFirst(2).range(of: "$$")?.upperBound ?? text.endIndex
      }
      if let end {
        close(place, kind, end)
        place = end
      } else {
        place = text.index(after: place)
      }
    }
    if start < text.endIndex { segments.append((.code, text[start...])) }
    return segments
  }

  private static func closing(_ quote: Character, in rest: Substring) -> String.Index {
    var place = rest.index(after: rest.startIndex)
    while place < rest.endIndex {
      let next = rest.index(after: place)
      if rest[place] == quote {
        guard next < rest.endIndex, rest[next] == quote else { return next }
        place = rest.index(after: next)
      } else {
        place = next
      }
    }
    return rest.endIndex
  }

  /// `text` without its comments, and without the spaces before them.
  static func withoutComments(_ text: String) -> String {
    let kept = segments(text).filter { $0.kind != .comment }.map { String($0.text) }.joined()
    return kept.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The parts of `text` between commas that are in no parentheses and no quotes.
  static func items(_ text: String) -> [String] {
    var (items, current, depth) = ([String](), "", 0)
    for (kind, segment) in segments(text) {
      guard kind == .code else {
        current += segment
        continue
      }
      for character in segment {
        if "([{".contains(character) { depth += 1 }
        if ")]}".contains(character) { depth -= 1 }
        if character == ",", depth == 0 {
          items.append(current)
          current = ""
        } else {
          current.append(character)
        }
      }
    }
    return (items + [current]).map { $0.trimmed }
  }
}

extension StringProtocol {
  /// Without white space at both ends.
  var trimmed: String {
    String(String(drop { $0.isWhitespace }).reversed().drop { $0.isWhitespace }.reversed())
  }
}

extension Substring {
  func range(of text: String) -> Range<String.Index>? {
    var place = startIndex
    while place < endIndex {
      if self[place...].hasPrefix(text) { return place..<index(place, offsetBy: text.count) }
      place = index(after: place)
    }
    return nil
  }
}
