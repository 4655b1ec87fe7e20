import CatalogDomain
import Identifiers
import Pictures
import Postgres

/// A stored book.
package struct StoredBook: Sendable {
  package let id: BookID
  package let ownerID: UserID
  /// Empty until identity has reported it.
  package let ownerUsername: String
  package let isbn: ISBN
  package let fields: BookFields
  package let status: BookStatus
  /// Whether its owner withholds it.
  package let isOnHold: Bool
  package let borrowerID: UserID?
  /// Empty without a borrower, or until identity has reported it.
  package let borrowerUsername: String
  /// In the order in which they were added.
  package let photoIDs: [PictureID]
  package let revision: Int64
  package let createdAt: Instant
  package let updatedAt: Instant

  init(_ columns: BookColumns) {
    id = columns.id
    (ownerID, ownerUsername) = (columns.ownerID, columns.ownerUsername)
    isbn = columns.isbn
    fields = BookFields(
      title: Title(stored: columns.title), authors: columns.authors.map { AuthorName(stored: $0) },
      description: BookDescription(stored: columns.description), year: columns.year,
      language: columns.language.isEmpty ? nil : LanguageName(stored: columns.language))
    status = columns.status
    isOnHold = columns.onHold
    (borrowerID, borrowerUsername) = (columns.borrowerID, columns.borrowerUsername)
    photoIDs = columns.photoIDs
    revision = columns.revision
    (createdAt, updatedAt) = (columns.createdAt, columns.updatedAt)
  }
}
