import Environment
import Identifiers
import Jobs
import LendingDomain
import LendingStore
import Postgres

/// Closes requests and loans between users, because one deleted the account ([C-9]) or blocked the other ([C-10]).
///
/// A borrowed book stays borrowed until it is returned, so that an owner does not lose a book that is lent; a party's confirmation and the
/// other's account deletion complete the return.
package struct LoanCleanup: Sendable {
  private let transitions: LoanTransitions
  private let jobs: Jobs

  /// Books in one transaction: each is locked until its end.
  private static let batch = 20

  package init(transitions: LoanTransitions, jobs: Jobs) {
    self.transitions = transitions
    self.jobs = jobs
  }

  private var clock: any WallClock { jobs.environment.clock }

  package var handlers: [JobHandler] {
    [
      .inDatabase(.settleDeletedAccounts) { _, _, tx in try await settle(tx) },
      .inDatabase(.completeReturns) { _, _, tx in try await completeReturns(tx) },
      .inDatabase(.closeBlockedRequests) { pair, _, tx in try await closeBlockedRequests(pair, tx) },
      .inDatabase(.closeAllBlockedRequests) { _, _, tx in try await closeAllBlockedRequests(tx) },
    ]
  }

  /// Schedules the job that closes the requests and loans of users who deleted their accounts.
  package func scheduleSettlement(_ tx: Transaction) async throws {
    try await tx.schedule(Job(.settleDeletedAccounts, "", at: clock.now, key: "people"), with: jobs)
  }

  /// Schedules the jobs that close the requests between two users each.
  package func scheduleClosings(_ blocks: [(blocker: UserID, blocked: UserID)], _ tx: Transaction) async throws {
    let pairs = blocks.map { "\($0.blocker)/\($0.blocked)" }.sorted()
    try await tx.schedule(
      each: pairs.map { Job(.closeBlockedRequests, $0, at: clock.now, key: $0) }, with: jobs)
  }

  /// Schedules the job that closes all pending requests between users of whom one has blocked the other.
  package func scheduleClosings(_ tx: Transaction) async throws {
    try await tx.schedule(Job(.closeAllBlockedRequests, "", at: clock.now, key: "people"), with: jobs)
  }

  // MARK: AccountDeletion

  /// Cleans up some books of one user who deleted the account, and schedules a further run for the rest.
  private func settle(_ tx: Transaction) async throws {
    guard let user = try await tx.first(UserToCleanUp()) else { return }
    let books = try await tx.rows(BooksOfDeletedAccount(userID: user, limit: Int64(Self.batch)))
    for book in books { try await settle(user, on: book, tx) }
    if books.count < Self.batch { try await tx.execute(MarkCleanedUp(userID: user)) }
    try await scheduleSettlement(tx)
  }

  private func settle(_ user: UserID, on id: BookID, _ tx: Transaction) async throws {
    guard var book = try await tx.first(LockedBook(bookID: id))?.facts else { return }
    for loan in try await tx.rows(OpenLoans(bookID: id, userID: user)) {
      let party = loan.ownerID == user ? Party.owner : .borrower
      guard let decision = try BookStatus.close(loan.facts, of: book, by: party) else { continue }
      try await record(decision, on: loan, &book, actor: nil, tx)
    }
    try await tx.execute(ForgetActor(userID: user, bookID: id))
    try await tx.execute(ForgetParty(userID: user, bookID: id))
    try await tx.execute(ForgetOwner(now: clock.now, bookID: id, userID: user))
    try await tx.execute(ReleaseOrphan(bookID: id))
    try await tx.execute(DeleteOrphans(bookID: id))
    try await tx.execute(DeleteOrphan(bookID: id))
  }

  private func record(
    _ decision: Decision, on loan: StoredLoan, _ book: inout BookFacts, actor: UserID?, _ tx: Transaction
  ) async throws {
    _ = try await transitions.record(decision, on: loan, by: actor, tx)
    (book.status, book.waiting) = (decision.status, decision.waiting)
  }

  /// Completes some returns that one party confirmed and the other cannot confirm any more, and schedules a further run for the rest.
  ///
  /// Account deletions complete returns themselves; this mends loans from before they did.
  private func completeReturns(_ tx: Transaction) async throws {
    let found = try await tx.rows(ReturnsToComplete(limit: Int64(Self.batch)))
    for id in found {
      let (books, loans) = try await tx.rows(LockedBookOfLoan(loanID: id), LoanByID(loanID: id))
      guard var book = books.first?.facts, let loan = loans.first else { continue }
      let gone = loan.ownerID == nil ? Party.owner : .borrower
      guard let decision = try BookStatus.close(loan.facts, of: book, by: gone) else { continue }
      try await record(decision, on: loan, &book, actor: nil, tx)
      if loan.ownerID == nil { _ = try await tx.first(MarkRetired(now: clock.now, bookID: loan.bookID)) }
    }
    guard found.count == Self.batch else { return }
    try await tx.schedule(Job(.completeReturns, "", at: clock.now, key: "people"), with: jobs)
  }

  // MARK: Blocks

  /// Closes some of the requests between two users, as steps of the blocker, and schedules a further run for the rest.
  private func closeBlockedRequests(_ pair: String, _ tx: Transaction) async throws {
    let users = pair.split(separator: "/").compactMap { UserID($0) }
    guard users.count == 2 else { throw JobRefusal("its payload names no two people") }
    let books = try await tx.rows(BooksBetween(blockerID: users[0], blockedID: users[1], limit: Int64(Self.batch)))
    for book in books { try await closeRequest(of: users[1], from: users[0], over: book, tx) }
    if books.count == Self.batch { try await scheduleClosings([(blocker: users[0], blocked: users[1])], tx) }
  }

  /// Closes some of the requests between all users of whom one has blocked the other, and schedules a further run for the rest.
  private func closeAllBlockedRequests(_ tx: Transaction) async throws {
    let requests = try await tx.rows(BlockedRequests(limit: Int64(Self.batch)))
    for request in requests {
      try await closeRequest(of: request.blockedID, from: request.blockerID, over: request.bookID, tx)
    }
    if requests.count == Self.batch { try await scheduleClosings(tx) }
  }

  private func closeRequest(
    of blocked: UserID, from blocker: UserID, over id: BookID, _ tx: Transaction
  ) async throws {
    guard var book = try await tx.first(LockedBook(bookID: id))?.facts else { return }
    for loan in try await tx.rows(OpenLoans(bookID: id, userID: blocker)) {
      let party = try loan.facts.party(blocker)
      guard (party == .owner ? loan.borrowerID : loan.ownerID) == blocked else { continue }
      guard let decision = try BookStatus.closeBlocked(loan.facts, of: book, by: party) else { continue }
      try await record(decision, on: loan, &book, actor: blocker, tx)
    }
  }
}
