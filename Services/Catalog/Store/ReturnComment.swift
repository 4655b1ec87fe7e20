import CatalogDomain
import Identifiers

/// A borrower's comment on a return, as lending reports it ([LE-10]).
package struct ReturnComment: Sendable {
  let id: CommentID
  let loan: UUID7
  let book: BookID
  package let author: UserID
  let text: CommentText
  let saidAt: Instant

  /// - Parameters:
  ///   - id: derived from the time of the comment, by which comments are listed.
  ///   - loan: lending's id of the loan that was returned.
  package init(
    _ id: CommentID, on book: BookID, by author: UserID, _ text: CommentText, endingLoan loan: UUID7,
    saidAt: Instant
  ) {
    (self.id, self.loan, self.book, self.author, self.text, self.saidAt) = (id, loan, book, author, text, saidAt)
  }
}

extension InsertReturnComments {
  package init(_ comments: [ReturnComment]) {
    self.init(
      commentIDs: comments.map(\.id), loanIDs: comments.map(\.loan), bookIDs: comments.map(\.book),
      authorIDs: comments.map(\.author), texts: comments.map(\.text.text), times: comments.map(\.saidAt))
  }
}
