import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

extension BookOperations {
  /// Stores a user's comment on a book ([CA-27]).
  package func createComment(
    _ text: CommentText, on book: BookID, by author: UserID, _ tx: Transaction
  ) async throws -> StoredComment {
    try await tx.enter(author)
    let count = CountComments(authorID: author, bookID: book, limit: CommentRules.maxInAll)
    guard let written = try await tx.first(count) else { throw BookRefusal.noSuchBook }
    try CommentRules.checkNew(ofBook: written.ofBook, inAll: written.inAll)
    let insert = InsertComment(
      commentID: environment.newID(), authorID: author, text: text.text, now: environment.clock.now, bookID: book)
    guard let stored = try await tx.first(insert) else { throw BookRefusal.noSuchBook }
    return stored
  }
}
