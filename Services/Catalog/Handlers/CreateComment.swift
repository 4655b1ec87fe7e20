import CatalogDomain
import CatalogOperations
import CatalogStore
import FieldViolations
import Idempotency
import Identifiers
import TTRPC
import TandemCatalog
import VisibleText

extension Books {
  /// Stores the caller's comment on a book; a blank one is not stored ([CA-27]).
  package func createComment(_ call: CreateCommentRequest, _ context: CallContext) async throws -> Comment {
    let author = try context.userID
    let remark = try Remark(call)
    return try await idempotency.execute(
      call, context.requestKey(remark.requestID), .init(validateOnly: call.validateOnly)
    ) {
      (tx) in
      Comment(try await operations.createComment(remark.text, on: remark.book, by: author, tx))
    }
  }
}

/// The parsed request.
private struct Remark {
  let book: BookID
  let text: CommentText
  let requestID: UUID7?

  init(_ call: CreateCommentRequest) throws {
    var bad = Violations()
    requestID = bad.requestID(call.requestID)
    let book = bad.bookID(call.bookID)
    let text = bad.commentText(call.comment?.text ?? "")
    (self.book, self.text) = try bad.all(book, text)
  }
}

extension Violations {
  /// Parses the text of a comment from the field `comment.text`.
  mutating func commentText(_ typed: String) -> CommentText? {
    require(
      "comment.text", CommentText.read(typed),
      CommentText.isBlank(typed) ? CatalogReason.commentEmpty : CatalogReason.commentInvalid)
  }

  /// Parses the id of a comment.
  mutating func commentID(_ text: String, _ field: String) -> CommentID? {
    require(field, CommentID(text), "This is not the id of a comment", CatalogReason.commentIDInvalid)
  }
}
