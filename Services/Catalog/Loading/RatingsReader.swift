import CatalogDomain

/// A format of files with ratings; its name is that of the books' format.
package enum RatingFormat: String, Sendable, CaseIterable {
  /// `ratings.csv` of goodbooks-10k: comma-separated values with a header line.
  case goodbooks
}

/// A line of a file: a reader's rating of a book.
package struct RatingRecord: Equatable {
  /// The collection's number for the reader.
  package let reader: Int64
  /// The collection's own id of the book.
  package let sourceID: String
  package let stars: Stars

  /// Why a line is not a usable rating.
  package struct Flaw: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }
}

/// Parses the ratings of goodbooks-10k: columns are found by their names.
package struct RatingsReader {
  private struct Columns {
    let reader: Int
    let book: Int
    let stars: Int
    let count: Int

    init(_ names: [String]) throws(UnusableFile) {
      guard let reader = names.firstIndex(of: "user_id"), let book = names.firstIndex(of: "book_id"),
        let stars = names.firstIndex(of: "rating")
      else { throw UnusableFile(reason: "its first line does not name the columns user_id, book_id and rating") }
      (self.reader, self.book, self.stars, count) = (reader, book, stars, names.count)
    }
  }

  /// Longer lines are bad; those of the collection have twenty bytes.
  package static let maxRecordLength = 1_000

  private var columns: Columns?

  package init() {}

  /// The rating of the next line; `nil` for the header.
  ///
  /// - Throws: ``RatingRecord/Flaw`` for a line that is skipped; ``UnusableFile`` for a file in another format.
  package mutating func read(_ record: String) throws -> RatingRecord? {
    let fields = CommaSeparated.fields(of: record)
    guard let columns else {
      self.columns = try Columns(fields ?? [])
      return nil
    }
    guard let fields else { throw RatingRecord.Flaw("a quotation mark stands within a field") }
    guard fields.count == columns.count else {
      throw RatingRecord.Flaw("it has \(fields.count) fields instead of \(columns.count)")
    }
    guard let reader = Int64(fields[columns.reader]), reader >= 0 else {
      throw RatingRecord.Flaw("its user_id is not a whole number")
    }
    let sourceID = fields[columns.book]
    guard EditionRecord.isUsable(id: sourceID) else { throw RatingRecord.Flaw("it has no usable book_id") }
    guard let stars = Int64(fields[columns.stars]).flatMap({ Stars($0) }) else {
      throw RatingRecord.Flaw("its rating is not from 1 to 5")
    }
    return RatingRecord(reader: reader, sourceID: sourceID, stars: stars)
  }
}
