import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// A loan or request that a user is a party of.
  ///
  /// - Throws: `noSuchLoan` for any other user.
  package func getLoan(_ id: LoanID, for user: UserID) async throws -> StoredLoan {
    guard let loan = try await database.first(LoanByID(loanID: id)) else { throw LoanRefusal.noSuchLoan }
    _ = try loan.facts.party(user)
    return loan
  }
}
