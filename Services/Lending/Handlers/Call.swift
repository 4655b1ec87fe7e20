import FieldViolations
import Identifiers
import LendingDomain
import TTRPC
import TandemLending

extension Violations {
  /// Parses the id of a book from the field of that name.
  mutating func bookID(_ text: String, _ field: String = "book_id") -> BookID? {
    require(field, BookID(text), "This is not the id of a book", LendingReason.bookIDInvalid)
  }

  /// Parses the id of a loan from the field `loan_id`.
  mutating func loanID(_ text: String) -> LoanID? {
    require("loan_id", LoanID(text), "This is not the id of a loan", LendingReason.loanIDInvalid)
  }

  /// Parses the scanned ISBN from the field `isbn`.
  mutating func isbn(_ text: String) -> ISBN? { require("isbn", ISBN(text), ISBN.refusal, LendingReason.invalidIsbn) }
}
