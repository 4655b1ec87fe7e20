/// A format of files with bibliographic records.
package enum BookFormat: String, Sendable, CaseIterable {
  /// `books.csv` of goodbooks-10k: comma-separated values with a header line.
  case goodbooks
  /// A dump of Open Library: lines of type, key, revision, time and JSON, separated by tabs. Authors have names if their records are in the
  /// same file, as in the complete dump.
  case openlibrary

  var ending: RecordBuffer.Ending {
    switch self {
    case .goodbooks: .lineOutsideQuotes
    case .openlibrary: .line
    }
  }

  func reader() -> any RecordReader {
    switch self {
    case .goodbooks: GoodbooksReader()
    case .openlibrary: OpenLibraryReader()
    }
  }
}

/// A parsed record.
package enum BookRecord: Equatable {
  case edition(EditionRecord)
  /// The author's name for a key.
  case author(key: String, name: String)
  /// A valid record that is not stored: an edition without an ISBN.
  case passedOver
  /// The line that names the columns.
  case header
}

/// Parses the records of one file, in order.
package protocol RecordReader {
  /// - Throws: ``EditionRecord/Flaw`` for a record that is skipped; ``UnusableFile`` for a file in another format.
  mutating func read(_ record: String) throws -> BookRecord
}
