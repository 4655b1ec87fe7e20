/// A file of named queries and fragments.
///
/// ```sql
/// -- columns: GroupColumns as StoredGroup
/// groups.id, groups.name, count(*) as "members!";
///
/// -- fragment: visible(one, viewer)
/// {{one}} <> all(array(select blocked_id from blocks where blocker_id = {{viewer}}));
///
/// -- name: GroupsOf :many slow
/// -- The groups that a user is in.
/// -- @after GroupID: the last group of the previous page.
/// select {{GroupColumns}} from groups where owner_id = :owner_id and id > :after? limit :limit;
/// ```
struct QueryFile {
  let path: String
  let queries: [Query]
  let fragments: [Fragment]
  let columns: [ColumnList]

  init(path: String, text: String) throws {
    self.path = path
    var queries: [Query] = []
    var fragments: [Fragment] = []
    var columns: [ColumnList] = []
    for section in Section.all(in: text) {
      let place = "\(path):\(section.line)"
      let body = section.body
      guard !body.isEmpty else { throw GeneratorError(place: place, reason: "there is no SQL") }
      switch section.kind {
      case "name": queries.append(try Query(section, place, body))
      case "fragment": fragments.append(try Fragment(section, place, body))
      default: columns.append(try ColumnList(section, place, body))
      }
    }
    (self.queries, self.fragments, self.columns) = (queries, fragments, columns)
  }
}

/// The lines from one heading to the next.
private struct Section {
  /// `name`, `fragment` or `columns`.
  let kind: String
  /// What follows the colon.
  let heading: String
  let line: Int
  /// The comment lines below the heading, without their dashes.
  var comments: [String] = []
  /// The number of the first line of ``sql``.
  var start = 0
  var sql: [String] = []

  /// The SQL without its semicolon.
  var body: SQLBody {
    var lines = sql
    while let last = lines.last, last.allSatisfy(\.isWhitespace) { lines.removeLast() }
    var text = lines.joined(separator: "\n")
    if text.hasSuffix(";") { text.removeLast() }
    return SQLBody(text: text, line: start)
  }

  static func all(in text: String) -> [Section] {
    var sections: [Section] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).enumerated() {
      if let (kind, heading) = Self.heading(line) {
        sections.append(Section(kind: kind, heading: heading, line: index + 1))
      } else if let last = sections.indices.last {
        if sections[last].sql.isEmpty, line.hasPrefix("--") {
          sections[last].comments.append(String(line.dropFirst(2).drop { $0 == " " }))
        } else if !(sections[last].sql.isEmpty && line.isEmpty) {
          if sections[last].sql.isEmpty { sections[last].start = index + 1 }
          sections[last].sql.append(line)
        }
      }
    }
    return sections
  }

  private static func heading(_ line: String) -> (String, String)? {
    for kind in ["name", "fragment", "columns"] where line.hasPrefix("-- \(kind): ") {
      return (kind, String(line.dropFirst(kind.count + 5)))
    }
    return nil
  }
}

/// SQL, and the line of its file on which it begins.
struct SQLBody {
  let text: String
  let line: Int

  var isEmpty: Bool { text.allSatisfy(\.isWhitespace) }
}

/// `@name Type: comment`: the Swift type of a column or parameter, what it means, or both. Lines below continue the comment.
struct Remark {
  let type: String?
  fileprivate(set) var comment: String?
}

/// What is said above a query or a list of columns.
struct Comments {
  let lines: [String]
  let remarks: [String: Remark]

  fileprivate init(_ section: Section, _ place: String) throws {
    var lines: [String] = []
    var remarks: [String: Remark] = [:]
    var last: String?
    for comment in section.comments {
      guard comment.hasPrefix("@") else {
        guard let last else {
          lines.append(comment)
          continue
        }
        guard let begun = remarks[last]?.comment else {
          throw GeneratorError(
            place: place, reason: "`\(comment)` follows @\(last), which has no comment; write it above")
        }
        remarks[last]?.comment = "\(begun)\n\(comment)"
        continue
      }
      let head = comment.dropFirst().prefix { $0 != " " && $0 != ":" }
      let rest = comment.dropFirst(head.count + 1)
      let type = rest.hasPrefix(" ") ? String(rest.dropFirst().prefix { $0 != ":" }) : nil
      let note = rest.dropFirst(type.map { $0.count + 1 } ?? 0)
      let comment = note.hasPrefix(": ") ? String(note.dropFirst(2)) : nil
      remarks[String(head)] = Remark(type: type, comment: comment)
      last = String(head)
    }
    (self.lines, self.remarks) = (lines, remarks)
  }
}

/// `-- name: LoanByID :one`, and what follows.
struct Query {
  enum Cardinality: String {
    case one, many, exec
  }

  let name: String
  let cardinality: Cardinality
  let isSlow: Bool
  let isPublic: Bool
  let comments: Comments
  let place: String
  let body: SQLBody

  fileprivate init(_ section: Section, _ place: String, _ body: SQLBody) throws {
    var words = section.heading.split(separator: " ").map(String.init)
    guard words.count >= 2, words[1].hasPrefix(":"),
      let cardinality = Cardinality(rawValue: String(words[1].dropFirst()))
    else { throw GeneratorError(place: place, reason: "write `-- name: LoanByID :one`, `:many` or `:exec`") }
    (name, self.cardinality, comments, self.place, self.body) = (
      words[0], cardinality, try Comments(section, place), place, body
    )
    words.removeFirst(2)
    isSlow = words.contains("slow")
    isPublic = words.contains("public")
    if let unknown = words.first(where: { $0 != "slow" && $0 != "public" }) {
      throw GeneratorError(place: place, reason: "a query is `slow`, `public` or both, not `\(unknown)`")
    }
  }
}

/// `-- fragment: visible(one, viewer)`: SQL that several queries share.
struct Fragment {
  let name: String
  let parameters: [String]
  let place: String
  let body: SQLBody

  fileprivate init(_ section: Section, _ place: String, _ body: SQLBody) throws {
    let heading = section.heading
    name = String(heading.prefix { $0 != "(" })
    let list = heading.dropFirst(name.count)
    parameters = list.dropFirst().dropLast().split(separator: ",").map { String($0.filter { $0 != " " }) }
    (self.place, self.body) = (place, body)
    guard list.isEmpty || (list.hasPrefix("(") && list.hasSuffix(")")) else {
      throw GeneratorError(place: place, reason: "write `-- fragment: name` or `-- fragment: name(one, two)`")
    }
  }
}

/// `-- columns: GroupColumns as StoredGroup`: columns that several queries return, as one Swift value.
struct ColumnList {
  let name: String
  /// A type of the module's own with an `init(_:)` that takes the generated one; absent where the latter is enough.
  let type: String?
  let isPublic: Bool
  /// Protocols beside `Sendable`.
  let conformances: [String]
  let comments: Comments
  let place: String
  let body: SQLBody

  /// The type of the value in a row.
  var value: String { type ?? name }

  fileprivate init(_ section: Section, _ place: String, _ body: SQLBody) throws {
    let parts = section.heading.split(separator: ":", maxSplits: 1).map(String.init)
    var words = parts[0].split(separator: " ").map(String.init)
    isPublic = words.last == "public"
    if isPublic { words.removeLast() }
    guard words.count == 1 || (words.count == 3 && words[1] == "as") else {
      throw GeneratorError(place: place, reason: "write `-- columns: GroupColumns`, or `… as StoredGroup`")
    }
    (name, type) = (words[0], words.count == 3 ? words[2] : nil)
    conformances = parts.count < 2 ? [] : parts[1].split(separator: ",").map { String($0.filter { $0 != " " }) }
    (comments, self.place, self.body) = (try Comments(section, place), place, body)
  }
}
