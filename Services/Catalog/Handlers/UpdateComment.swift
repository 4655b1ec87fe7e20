import CatalogOperations
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
      Comment(try await operations.updateComment(id, text, by: user, tx))
    }
  }
}
