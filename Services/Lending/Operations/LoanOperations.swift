import Environment
import Events
import Identifiers
import Jobs
import LendingDomain
import LendingStore
import Logging
import Postgres
import TTRPC

/// What lending does, one use case a file, named by its verb.
///
/// An operation locks, lets the domain decide, stores the decision, publishes it and schedules what follows. It takes the transaction of
/// its caller, a call, an event or a job, and begins none: a call stores its answer in the same one ([C-4]), and tries again from the
/// beginning after a conflict. One without a transaction only reads, or asks another service, which no transaction may wait for, and keeps
/// what that answered.
package struct LoanOperations: Sendable {
  let database: Database
  let environment: Environment
  let jobs: Jobs
  let transitions: LoanTransitions
  let bookCache: BookCache
  /// How long a party is waited for before the other may end a loan alone.
  package let declarationWait: Duration

  /// - Parameters:
  ///   - declarationWait: how long a party is waited for before the other may end a loan alone.
  ///   - catalog: asked about books that are unknown here; `nil` in a deployment without it.
  package init(
    database: Database, environment: Environment, events: Outbox, jobs: Jobs, catalog: (any RPCChannel)?,
    declarationWait: Duration, logger: Logger
  ) {
    self.database = database
    self.environment = environment
    self.jobs = jobs
    self.declarationWait = declarationWait
    transitions = LoanTransitions(
      events: events, jobs: jobs, clock: environment.clock, declarationWait: declarationWait)
    bookCache = BookCache(database: database, catalog: catalog, logger: logger)
  }

  /// Takes a step with a loan: loads it with its book locked, calls `decide`, and stores and publishes the decision.
  ///
  /// - Parameter decide: returns `nil` if nothing changes.
  /// - Returns: the loan after the step.
  func step(
    _ id: LoanID, by user: UserID, leaving trace: TransitionDetails = TransitionDetails(), _ tx: Transaction,
    _ decide: (LoanFacts, BookFacts) throws -> Decision?
  ) async throws -> StoredLoan {
    let (loan, book) = try await locked(id, tx)
    guard let decision = try decide(loan.facts, book.facts) else { return loan }
    return try await transitions.record(decision, on: loan, by: user, leaving: trace, tx)
  }

  /// A loan whose book is locked until the transaction ends, so that neither changes.
  func locked(_ id: LoanID, _ tx: Transaction) async throws -> (loan: StoredLoan, book: StoredBook) {
    guard let found = try await lockedIfThere(id, tx) else { throw LoanRefusal.noSuchLoan }
    return found
  }

  /// As ``locked(_:_:)``; `nil` if there is no such loan.
  func lockedIfThere(_ id: LoanID, _ tx: Transaction) async throws -> (loan: StoredLoan, book: StoredBook)? {
    // The loan is read once the lock is held, so that it is current.
    let (books, loans) = try await tx.rows(LockedBookOfLoan(loanID: id), LoanByID(loanID: id))
    guard let book = books.first, let loan = loans.first else { return nil }
    return (loan, book)
  }
}
