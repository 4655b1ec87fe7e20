import CatalogOperations
import FieldViolations
import Idempotency
import TTRPC
import TandemCatalog

extension Books {
  /// Deletes a comment of the caller, or one on a book of the caller ([CA-27]).
  package func deleteComment(
    _ call: DeleteCommentRequest, _ context: CallContext
  ) async throws -> DeleteCommentResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let commentID = bad.commentID(call.commentID, "comment_id")
    let id = try bad.all(commentID)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      try await operations.deleteComment(id, by: user, tx)
      return DeleteCommentResponse()
    }
  }
}
