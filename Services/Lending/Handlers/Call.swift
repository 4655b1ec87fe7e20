import FieldViolations
import Identifiers
import LendingDomain
import TTRPC

extension CallContext {
  /// Who calls a method whose access is `user`.
  var userID: UserID {
    get throws(Status) {
      guard let caller, let id = UserID(caller.subject) else { throw .notAUser }
      return id
    }
  }
}

extension Violations {
  /// The id of a book, in the field of that name.
  mutating func bookID(_ text: String, _ field: String = "book_id") -> BookID? {
    require(field, BookID(text), "This is not the id of a book", "BOOK_ID_INVALID")
  }

  /// The id of a loan, in the field `loan_id`.
  mutating func loanID(_ text: String) -> LoanID? {
    require("loan_id", LoanID(text), "This is not the id of a loan", "LOAN_ID_INVALID")
  }

  /// The ISBN that somebody scanned, in the field `isbn`.
  mutating func isbn(_ text: String) -> ISBN? { require("isbn", ISBN(text), ISBN.refusal, "INVALID_ISBN") }
}
