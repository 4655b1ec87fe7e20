import CatalogDomain
import CatalogStore
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog

extension Books {
  /// Changes the text of one of the caller's comments ([CA-27]).
  package func updateComment(_ call: UpdateCommentRequest, _ context: CallContext) async throws -> Comment {
    let user = try context.userID
    let new = call.comment ?? Comment()
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let (commentID, typed) = (bad.commentID(new.commentID, "comment.comment_id"), bad.commentText(new.text))
    let (id, text) = try bad.all(commentID, typed)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      guard try await tx.first(EnterUser(userID: user)) != nil else { throw Status.notAUser }
      guard let rules = try await tx.first(LockedComment(commentID: id, viewerID: user))?.rules else {
        throw Status.noSuchComment
      }
      guard rules.mayEdit(user) else { throw Status.notTheAuthor }
      let edit = EditComment(text: text.text, now: environment.clock.now, commentID: id)
      guard let edited = try await tx.first(edit) else { throw Status.noSuchComment }
      return Comment(edited)
    }
  }
}

extension LockedComment.Row {
  var rules: CommentRules { CommentRules(author: authorID, bookOwner: bookOwnerID) }
}
