import Environment
import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import LendingDomain
import LendingOperations
import LendingStore
import Pagination
import Postgres
import TTRPC
import TandemLending

// The contract has types of the same names; in this module the names mean the domain's.
typealias LoanState = LendingDomain.LoanState
typealias Pickup = LendingDomain.Pickup
typealias Step = LendingDomain.Step

/// Loans of users' books, from the request to the return; each method is in its own file.
package struct Loans: LoansService {
  let operations: LoanOperations
  let database: Database
  let environment: Environment
  let pages: Pages
  let idempotency: IdempotencyStore
  let seal: Seal

  /// - Parameter seal: seals page tokens, and the answers kept for repeated requests ([C-4], [C-5]).
  package init(operations: LoanOperations, database: Database, environment: Environment, seal: Seal) {
    self.operations = operations
    self.database = database
    self.environment = environment
    self.seal = seal
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }

  /// A loan as its parties see it now.
  func shown(_ loan: StoredLoan) -> Loan {
    Loan(loan, at: environment.clock.now, declarationWait: operations.declarationWait)
  }

  /// Adds a loan that the user is no party of to a request's other bad fields, so that all are named at once ([C-2]). Without others it does
  /// nothing: the loan is looked up anyway, and NOT_FOUND.
  func addUnknown(_ id: LoanID?, of user: UserID, to bad: inout Violations) async throws {
    guard !bad.isEmpty, let id else { return }
    do {
      _ = try await operations.getLoan(id, for: user)
    } catch LoanRefusal.noSuchLoan {
      bad.add("loan_id", "There is no such request or loan", LendingReason.loanNotFound)
    }
  }
}
