import CatalogStore
import FieldViolations
import Identifiers
import TTRPC
import TandemCatalog

extension Violations {
  /// Parses the id of a book from the field of that name.
  mutating func bookID(_ text: String, _ field: String = "book_id") -> BookID? {
    require(field, BookID(text), "This is not the id of a book", CatalogReason.bookIDInvalid)
  }
}

/// An etag is a revision as clients see it: it changes with every change ([C-11]).
enum Etag {
  /// The revision that an etag names; `nil` for an empty one, and one that nothing has for a text that is no etag.
  static func revision(of etag: String) -> Int64? {
    guard !etag.isEmpty else { return nil }
    guard let revision = Int64(etag), "\(revision)" == etag else { return -1 }
    return revision
  }
}
