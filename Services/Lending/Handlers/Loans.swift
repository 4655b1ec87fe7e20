import Environment
import Cryptography
import Events
import FieldViolations
import Idempotency
import Identifiers
import Jobs
import LendingDomain
import LendingStore
import Logging
import Pagination
import Postgres
import TTRPC
import TandemLending

// The contract has types of the same names; in this module the names mean the domain's.
typealias BookStatus = LendingDomain.BookStatus
typealias LoanState = LendingDomain.LoanState
typealias Pickup = LendingDomain.Pickup
typealias Step = LendingDomain.Step

/// Loans of users' books, from the request to the return; each method is in its own file.
package struct Loans: LoansService {
  let database: Database
  let environment: Environment
  let jobs: Jobs
  let pages: Pages
  let idempotency: IdempotencyStore
  let transitions: LoanTransitions
  let bookCache: BookCache
  let seal: Seal
  /// How long a party is waited for before the other may end a loan alone.
  let declarationWait: Duration

  /// - Parameters:
  ///   - seal: seals page tokens, and the answers kept for repeated requests ([C-4], [C-5]).
  ///   - declarationWait: how long a party is waited for before the other may end a loan alone.
  ///   - catalog: asked about books that are unknown here; `nil` in a deployment without it.
  package init(
    database: Database, environment: Environment, seal: Seal, events: Outbox, jobs: Jobs, catalog: (any RPCChannel)?,
    declarationWait: Duration, logger: Logger
  ) {
    self.seal = seal
    self.declarationWait = declarationWait
    self.database = database
    self.environment = environment
    self.jobs = jobs
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
    transitions = LoanTransitions(
      events: events, jobs: jobs, clock: environment.clock, declarationWait: declarationWait)
    bookCache = BookCache(database: database, catalog: catalog, logger: logger)
  }

  /// Takes a step with a loan: loads it with its book locked, calls `decide`, and stores and publishes the decision.
  ///
  /// - Parameter decide: returns `nil` if nothing changes; it may change the details before.
  func step(
    _ id: LoanID, by user: UserID, leaving trace: TransitionDetails = TransitionDetails(), _ tx: Transaction,
    _ decide: (StoredLoan, BookFacts) throws -> Decision?
  ) async throws -> Loan {
    let (loan, book) = try await locked(id, tx)
    guard let decision = try decide(loan, book.facts) else { return shown(loan) }
    let moved = try await transitions.record(decision, on: loan, by: user, leaving: trace, tx)
    return shown(moved)
  }

  /// A loan as its parties see it now.
  func shown(_ loan: StoredLoan) -> Loan { Loan(loan, at: environment.clock.now, declarationWait: declarationWait) }

  /// A loan whose book is locked until the transaction ends, so that neither changes.
  func locked(_ id: LoanID, _ tx: Transaction) async throws -> (loan: StoredLoan, book: StoredBook) {
    // The loan is read once the lock is held, so that it is current.
    let (books, loans) = try await tx.rows(LockedBookOfLoan(loanID: id), LoanByID(loanID: id))
    guard let book = books.first, let loan = loans.first
    else { throw LoanRefusal.noSuchLoan }
    return (loan, book)
  }

  /// Adds a loan that the user is no party of to a request's other bad fields, so that all are named at once ([C-2]). Without others it does
  /// nothing: the loan is looked up anyway, and NOT_FOUND.
  func addUnknown(_ id: LoanID?, of user: UserID, to bad: inout Violations) async throws {
    guard !bad.isEmpty, let id else { return }
    let loan = try await database.first(LoanByID(loanID: id))
    guard loan == nil || ![loan?.ownerID, loan?.borrowerID].contains(user) else { return }
    bad.add("loan_id", "There is no such request or loan", LendingReason.loanNotFound)
  }
}
