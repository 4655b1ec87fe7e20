/// A kind of file that bibliographic records come in.
package enum BookFormat: String, Sendable, CaseIterable {
  /// `books.csv` of goodbooks-10k: comma-separated values with a line of names.
  case goodbooks
  /// A dump of Open Library: lines of type, key, revision, time and JSON, separated by tabs. Authors are known by name where their
  /// records are in the same file, as in the dump of everything.
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

/// What a record is.
enum BookRecord: Equatable {
  case edition(EditionRecord)
  /// The name behind a key.
  case author(key: String, name: String)
  /// Nothing that is stored, and no mistake: a line of names, an edition from before there were ISBNs.
  case passedOver
}

/// Reads the records of one file, one after the other.
protocol RecordReader {
  /// - Throws: ``EditionRecord/Flaw`` for a record that is skipped; ``UnusableFile`` for a file that is not of the format at all.
  mutating func read(_ record: String) throws -> BookRecord
}
