import CatalogDomain
import CatalogStore
import Identifiers
import TandemCatalog
import Timestamps

extension Book {
  /// The book as `viewer` sees it: only its owner sees the borrower.
  init(_ stored: StoredBook, seenBy viewer: UserID) {
    let isOwner = viewer == stored.ownerID
    self.init(
      bookID: stored.id.description, ownerID: stored.ownerID.description, ownerUsername: stored.ownerUsername,
      title: stored.fields.title.text, authors: stored.fields.authors.map(\.text), isbn: stored.isbn.description,
      description: stored.fields.description.text, year: stored.fields.year ?? 0,
      language: stored.fields.language?.text ?? "", status: stored.status.wire,
      borrowerID: isOwner ? stored.borrowerID?.description ?? "" : "",
      borrowerUsername: isOwner ? stored.borrowerUsername : "", etag: stored.etag,
      createTime: stored.createdAt.timestamp, updateTime: stored.updatedAt.timestamp,
      photoIds: stored.photoIDs.map(\.description), onHold: stored.isOnHold)
  }
}

extension StoredBook {
  /// Changes with every change ([C-11]).
  var etag: String { "\(revision)" }
}

extension Edition {
  init(_ stored: StoredEdition) {
    self.init(
      isbn: stored.isbn.description, isbn10: stored.isbn.isbn10 ?? "", title: stored.title, authors: stored.authors,
      year: stored.year ?? 0, language: stored.language)
  }
}

extension Comment {
  init(_ stored: StoredComment) {
    self.init(
      commentID: stored.id.description, authorID: stored.authorID.description, authorUsername: stored.authorUsername,
      text: stored.text, createTime: stored.createdAt.timestamp, editTime: stored.editedAt?.timestamp)
  }
}
