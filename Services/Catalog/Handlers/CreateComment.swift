import CatalogDomain
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
      guard try await tx.first(EnterUser(userID: author)) != nil else { throw Status.notAUser }
      let count = CountComments(authorID: author, bookID: remark.book, limit: CommentRules.maxInAll)
      guard let written = try await tx.first(count) else { throw Status.noSuchBook }
      guard written.ofBook < CommentRules.maxPerUser else { throw Status.tooManyComments }
      guard written.inAll < CommentRules.maxInAll else { throw Status.tooManyCommentsInAll }
      let insert = InsertComment(
        commentID: environment.newID(), authorID: author, text: remark.text.text, now: environment.clock.now,
        bookID: remark.book)
      guard let stored = try await tx.first(insert) else { throw Status.noSuchBook }
      return Comment(stored)
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
