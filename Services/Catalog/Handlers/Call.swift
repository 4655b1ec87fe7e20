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
