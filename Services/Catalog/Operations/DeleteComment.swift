import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

extension BookOperations {
  /// Deletes a comment of a user, or one on a book of the user's ([CA-27]).
  package func deleteComment(_ id: CommentID, by user: UserID, _ tx: Transaction) async throws {
    try await rules(of: id, for: user, tx).checkDeletion(by: user)
    try await tx.execute(RemoveComment(commentID: id))
  }
}
