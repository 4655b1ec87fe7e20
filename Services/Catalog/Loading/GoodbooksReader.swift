/// Parses `books.csv` of goodbooks-10k, as published or edited: columns are found by their names.
package struct GoodbooksReader: RecordReader {
  private struct Columns {
    let id: Int
    let isbns: [Int]
    let titles: [Int]
    let authors: Int
    let year: Int?
    let language: Int?
    let count: Int

    init(_ names: [String]) throws(UnusableFile) {
      func places(_ wanted: String...) -> [Int] { wanted.compactMap { names.firstIndex(of: $0) } }
      guard let id = names.firstIndex(of: "book_id"), let authors = names.firstIndex(of: "authors"),
        names.contains("title")
      else {
        throw UnusableFile(reason: "its first line does not name the columns book_id, authors and title")
      }
      isbns = places("isbn10", "isbn", "isbn13")
      guard !isbns.isEmpty else { throw UnusableFile(reason: "its first line names no column isbn, isbn10 or isbn13") }
      (self.id, self.authors, count) = (id, authors, names.count)
      titles = places("title", "original_title")
      year = places("year", "original_publication_year").first
      language = places("language", "language_code").first
    }
  }

  private var columns: Columns?

  package init() {}

  package mutating func read(_ record: String) throws -> BookRecord {
    guard let columns else {
      guard let names = CommaSeparated.fields(of: record) else {
        throw UnusableFile(reason: "its first line is not one of comma-separated names")
      }
      self.columns = try Columns(names)
      return .header
    }
    guard let fields = CommaSeparated.fields(of: record) else {
      throw EditionRecord.Flaw("a quotation mark stands within a field")
    }
    guard fields.count == columns.count else {
      throw EditionRecord.Flaw("it has \(fields.count) fields instead of \(columns.count)")
    }
    return .edition(
      try EditionRecord(
        sourceID: fields[columns.id], isbns: columns.isbns.map { fields[$0] },
        titles: columns.titles.map { fields[$0] },
        // One field has all authors.
        authors: fields[columns.authors].split(separator: ",").map { String($0) },
        year: columns.year.flatMap { Self.year(fields[$0]) }, language: columns.language.map { fields[$0] } ?? ""))
  }

  /// `1997`, or `1997.0` as the published file has it.
  private static func year(_ text: String) -> Int32? {
    Double(text).flatMap { Int32(exactly: $0.rounded()) }
  }
}
