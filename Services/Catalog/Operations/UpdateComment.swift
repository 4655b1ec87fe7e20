import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

extension BookOperations {
  /// Changes the text of one of a user's comments ([CA-27]).
  package func updateComment(
    _ id: CommentID, _ text: CommentText, by user: UserID, _ tx: Transaction
  ) async throws -> StoredComment {
    try await tx.enter(user)
    try await rules(of: id, for: user, tx).checkEdit(by: user)
    let edit = EditComment(text: text.text, now: environment.clock.now, commentID: id)
    guard let edited = try await tx.first(edit) else { throw CommentRefusal.noSuchComment }
    return edited
  }

  /// Who may do what with a comment that a user sees, which is locked.
  func rules(of id: CommentID, for user: UserID, _ tx: Transaction) async throws -> CommentRules {
    guard let found = try await tx.first(LockedComment(commentID: id, viewerID: user)) else {
      throw CommentRefusal.noSuchComment
    }
    return CommentRules(author: found.authorID, bookOwner: found.bookOwnerID)
  }
}
