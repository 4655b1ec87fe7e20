import CatalogDomain
import CatalogLoading

/// Judged queries as comma-separated values. The first line names the columns: `kind`, `query`, and `isbns` of books or `ids` of others,
/// separated by spaces.
package enum JudgedQueriesFile {
  /// Reads the chunks of `nextChunk` until it returns nil.
  ///
  /// - Throws: ``UnusableFile`` with the line of the first mistake; errors of `nextChunk`.
  package static func queries(
    of subject: SearchSubject = .books, _ nextChunk: () throws -> [UInt8]?
  ) throws -> [JudgedQuery] {
    var feed = RecordFeed(RecordBuffer(.lineOutsideQuotes, longest: 1 << 16))
    var (queries, isHeader) = ([JudgedQuery](), true)
    while let pieces = try feed.next(nextChunk) {
      for piece in pieces {
        guard case .record(let text) = piece.content else {
          throw UnusableFile(reason: "line \(piece.line) is not usable")
        }
        if isHeader {
          guard text == header(of: subject) else {
            throw UnusableFile(reason: "its first line is not \(header(of: subject))")
          }
          isHeader = false
        } else {
          queries.append(try query(text, of: subject, line: piece.line))
        }
      }
    }
    guard !queries.isEmpty else { throw UnusableFile(reason: "it has no queries") }
    return queries
  }

  /// Judged queries for books as the text of such a file.
  package static func text(of queries: [JudgedQuery]) -> String {
    ([header(of: .books)]
      + queries.map { query in
        let typed = query.text.replacing("\"", with: "\"\"")
        return "\(query.kind.rawValue),\"\(typed)\",\(query.ids.sorted().joined(separator: " "))"
      }).joined(separator: "\n") + "\n"
  }

  private static func header(of subject: SearchSubject) -> String {
    subject == .books ? "kind,query,isbns" : "kind,query,ids"
  }

  private static func query(
    _ record: String, of subject: SearchSubject, line: Int
  ) throws(UnusableFile) -> JudgedQuery {
    guard let fields = CommaSeparated.fields(of: record), fields.count == 3 else {
      throw UnusableFile(reason: "line \(line) does not have three fields")
    }
    guard let kind = JudgedQuery.Kind(rawValue: fields[0]) else {
      let known = JudgedQuery.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw UnusableFile(reason: "line \(line): there is no kind \(fields[0]); kinds are \(known)")
    }
    do throws(SearchQuery.Refusal) { _ = try SearchQuery(fields[1]) } catch {
      throw UnusableFile(reason: "line \(line): the service would refuse the query")
    }
    let ids = fields[2].split(separator: " ").map { subject == .books ? ISBN(String($0))?.description : String($0) }
    guard !ids.isEmpty, !ids.contains(nil) else {
      throw UnusableFile(
        reason: "line \(line) does not name \(subject == .books ? "valid ISBNs" : "any \(subject.rawValue)")")
    }
    return JudgedQuery(kind, fields[1], ids: Set(ids.compactMap { $0 }))
  }
}
