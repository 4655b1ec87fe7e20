import FieldViolations
import Idempotency
import LendingDomain
import LendingOperations
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
      shown(try await operations.confirmReturn(of: id, by: user, scanning: isbn, comment: comment, tx))
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
