import CatalogDomain
import Identifiers

/// That a user borrowed a book, as lending reports it ([CA-28]).
package struct PastLoan: Sendable {
  let id: UUID7
  let book: BookID
  let borrower: UserID
  let borrowedAt: Instant

  /// - Parameter id: lending's.
  package init(_ id: UUID7, of book: BookID, by borrower: UserID, at borrowedAt: Instant) {
    (self.id, self.book, self.borrower, self.borrowedAt) = (id, book, borrower, borrowedAt)
  }
}

extension InsertPastLoans {
  package init(_ loans: [PastLoan]) {
    self.init(
      loanIDs: loans.map(\.id), borrowerIDs: loans.map(\.borrower), bookIDs: loans.map(\.book),
      times: loans.map(\.borrowedAt))
  }
}
