/// Which tables of a query an outer join may fill with nulls.
struct OuterJoins {
  /// Whether some of its rows may be null altogether, whatever the table.
  private var concernsAll = false
  private var tables: Set<String> = []

  /// - Parameter tables: the names of the schema's tables.
  init(_ sql: String, tables: Set<String>) {
    let code = SQLText.segments(sql).filter { $0.kind == .code }.map { String($0.text) }.joined(separator: " ")
    var words = Self.words(code)[...]
    // A common table expression may have a table's name.
    let named = Self.commonTableExpressions(words)
    let known = tables.subtracting(named)
    while let word = words.popFirst() {
      if word == "full" || word == "right" { concernsAll = concernsAll || Self.isJoin(words) }
      guard word == "left", Self.isJoin(words) else { continue }
      if words.first == "outer" { words.removeFirst() }
      words.removeFirst()
      if words.first == "lateral" { words.removeFirst() }
      if words.first == "(" {
        let inside = Self.parenthesised(words)
        for inner in inside where known.contains(inner) { self.tables.insert(inner) }
        if inside.contains(where: named.contains) { concernsAll = true }
      } else if let table = words.first, known.contains(table) {
        self.tables.insert(table)
      } else {
        // A common table expression: its columns may be any table's.
        concernsAll = true
      }
    }
  }

  func concern(_ table: String) -> Bool { concernsAll || tables.contains(table) }

  /// The names before `as (`, `as materialized (` and `as not materialized (`.
  private static func commonTableExpressions(_ words: ArraySlice<String>) -> Set<String> {
    var names: Set<String> = []
    for place in words.indices.dropFirst() where words[place] == "as" {
      var next = place + 1
      while next < words.endIndex, ["not", "materialized"].contains(words[next]) { next += 1 }
      if next < words.endIndex, words[next] == "(" { names.insert(words[place - 1]) }
    }
    return names
  }

  private static func isJoin(_ words: ArraySlice<String>) -> Bool {
    words.first == "join" || (words.first == "outer" && words.dropFirst().first == "join")
  }

  private static func parenthesised(_ words: ArraySlice<String>) -> [String] {
    var (inside, depth) = ([String](), 0)
    for word in words {
      if word == "(" { depth += 1 }
      if word == ")" { depth -= 1 }
      if depth == 0 { break }
      inside.append(word)
    }
    return inside
  }

  private static func words(_ code: String) -> [String] {
    var (words, current) = ([String](), "")
    for character in code.lowercased() {
      if character.isLetter || character.isNumber || character == "_" {
        current.append(character)
        continue
      }
      if !current.isEmpty { words.append(current) }
      current = ""
      if !character.isWhitespace { words.append(String(character)) }
    }
    return current.isEmpty ? words : words + [current]
  }
}
