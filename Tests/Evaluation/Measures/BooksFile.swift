import CatalogDomain
import CatalogLoading

/// Reads `books.csv` of goodbooks-10k, for an evaluation of searches.
package enum BooksFile {
  /// Reads the chunks of `nextChunk` until it returns nil. Records that a load would refuse are skipped, and so are those without authors
  /// and those whose ISBN another had before.
  ///
  /// - Throws: ``UnusableFile``; errors of `nextChunk`.
  package static func books(_ nextChunk: () throws -> [UInt8]?) throws -> [ShelvedBook] {
    var (reader, feed) = (GoodbooksReader(), RecordFeed(RecordBuffer(.lineOutsideQuotes, longest: 1 << 20)))
    var (books, known) = ([ShelvedBook](), Set<ISBN>())
    while let pieces = try feed.next(nextChunk) {
      for piece in pieces {
        guard case .record(let text) = piece.content, let edition = try edition(text, &reader),
          let fields = fields(of: edition), known.insert(edition.isbns[0]).inserted
        else { continue }
        books.append(ShelvedBook(isbn: edition.isbns[0], fields: fields, titles: edition.titles))
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
