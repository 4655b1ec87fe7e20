import CatalogDomain

/// Reads `books.csv` of goodbooks-10k, for an evaluation of searches.
package enum BooksFile {
  /// Reads the chunks of `nextChunk` until it returns nil. Records that a load would refuse are skipped, and so are those without authors
  /// and those whose ISBN another had before.
  ///
  /// - Throws: ``UnusableFile``; errors of `nextChunk`.
  package static func books(_ nextChunk: () throws -> [UInt8]?) throws -> [(isbn: ISBN, fields: BookFields)] {
    var (reader, feed) = (GoodbooksReader(), RecordFeed(RecordBuffer(.lineOutsideQuotes, longest: 1 << 20)))
    var (books, known) = ([(isbn: ISBN, fields: BookFields)](), Set<ISBN>())
    while let pieces = try feed.next(nextChunk) {
      for piece in pieces {
        guard case .record(let text) = piece.content, let edition = try edition(text, &reader),
          let fields = fields(of: edition), known.insert(edition.isbns[0]).inserted
        else { continue }
        books.append((edition.isbns[0], fields))
      }
    }
    return books
  }

  private static func edition(_ record: String, _ reader: inout GoodbooksReader) throws -> EditionRecord? {
    do {
      guard case .edition(let edition) = try reader.read(record) else { return nil }
      return edition
    } catch is EditionRecord.Flaw { return nil }
  }

  private static func fields(of edition: EditionRecord) -> BookFields? {
    guard !edition.authors.isEmpty, let description = BookDescription("A copy that was read once.") else { return nil }
    return BookFields(
      title: Title(stored: edition.titles[0]), authors: edition.authors.map { AuthorName(stored: $0) },
      description: description, year: edition.year, language: nil)
  }
}

/// Reads judged queries: comma-separated values whose first line names the columns `kind`, `query` and `isbns`, the ISBNs separated by
/// spaces.
package enum JudgedQueriesFile {
  /// Reads the chunks of `nextChunk` until it returns nil.
  ///
  /// - Throws: ``UnusableFile`` with the line of the first mistake; errors of `nextChunk`.
  package static func queries(_ nextChunk: () throws -> [UInt8]?) throws -> [JudgedQuery] {
    var feed = RecordFeed(RecordBuffer(.lineOutsideQuotes, longest: 1 << 16))
    var (queries, isHeader) = ([JudgedQuery](), true)
    while let pieces = try feed.next(nextChunk) {
      for piece in pieces {
        guard case .record(let text) = piece.content else {
          throw UnusableFile(reason: "line \(piece.line) is not usable")
        }
        if isHeader {
          guard text == header else { throw UnusableFile(reason: "its first line is not \(header)") }
          isHeader = false
        } else {
          queries.append(try query(text, line: piece.line))
        }
      }
    }
    return queries
  }

  /// Judged queries as the text of such a file.
  package static func text(of queries: [JudgedQuery]) -> String {
    ([header]
      + queries.map { query in
        let typed = query.text.replacing("\"", with: "\"\"")
        return "\(query.kind.rawValue),\"\(typed)\",\(query.isbns.map(\.description).sorted().joined(separator: " "))"
      }).joined(separator: "\n") + "\n"
  }

  private static let header = "kind,query,isbns"

  private static func query(_ record: String, line: Int) throws(UnusableFile) -> JudgedQuery {
    guard let fields = CommaSeparated.fields(of: record), fields.count == 3 else {
      throw UnusableFile(reason: "line \(line) does not have three fields")
    }
    guard let kind = JudgedQuery.Kind(rawValue: fields[0]) else {
      let known = JudgedQuery.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw UnusableFile(reason: "line \(line): there is no kind \(fields[0]); kinds are \(known)")
    }
    let isbns = fields[2].split(separator: " ").map { ISBN(String($0)) }
    guard !isbns.isEmpty, !isbns.contains(nil) else {
      throw UnusableFile(reason: "line \(line) does not name valid ISBNs")
    }
    return JudgedQuery(kind, fields[1], isbns: Set(isbns.compactMap { $0 }))
  }
}
