import FieldViolations
import Idempotency
import LendingDomain
import LendingStore
import Postgres
import TTRPC
import TandemLending
import VisibleText

extension Loans {
  /// Confirms the return by the ISBN on the book, and stores the borrower's comment ([LE-10]).
  package func confirmReturn(_ call: ConfirmReturnRequest, _ context: CallContext) async throws -> Loan {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let (loanID, scanned, comment) = (bad.loanID(call.loanID), bad.isbn(call.isbn), bad.comment(call.comment))
    try await addUnknown(loanID, of: user, to: &bad)
    let (id, isbn) = try bad.all(loanID, scanned)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      var (loan, book) = try await locked(id, tx)
      let decision = try BookStatus.confirm(.giveBack, by: user, scanning: isbn, loan.facts, of: book.facts)
      if comment != nil, try loan.facts.party(user) == .owner { throw BadFields.commentOfOwner }
      if let decision {
        var trace = TransitionDetails()
        trace.returnedBy = decision.party
        loan = try await transitions.record(decision, on: loan, by: user, leaving: trace, tx)
      }
      let now = environment.clock.now
      if let comment, try await tx.first(AddComment(comment: comment.text, now: now, loanID: id)) != nil {
        try await transitions.tellComment(comment.text, on: loan, at: now, tx)
      }
      return shown(loan)
    }
  }
}

extension Violations {
  /// Parses the comment; `nil` for a blank one. Adds a violation for an invalid one.
  fileprivate mutating func comment(_ typed: String) -> ReturnComment? {
    if ReturnComment.isBlank(typed) { return nil }
    return require("comment", ReturnComment.read(typed), LendingReason.commentInvalid)
  }
}

extension BadFields {
  fileprivate static let commentOfOwner = BadFields(
    "comment", "It is the borrower who may say something on the return", LendingReason.commentOfOwner)
}
