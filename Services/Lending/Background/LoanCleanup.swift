import Identifiers
import Jobs
import LendingDomain
import LendingOperations
import LendingStore
import Postgres

/// The jobs that close requests and loans between users, because one deleted the account ([C-9]) or blocked the other ([C-10]).
package struct LoanCleanup: Sendable {
  private let operations: LoanOperations

  /// Books in one transaction: each is locked until its end.
  private static let batch = 20

  package init(operations: LoanOperations) { self.operations = operations }

  package var handlers: [JobHandler] {
    [
      .inDatabase(.settleDeletedAccounts) { _, _, tx in try await settle(tx) },
      .inDatabase(.completeReturns) { _, _, tx in try await completeReturns(tx) },
      .inDatabase(.closeBlockedRequests) { pair, _, tx in try await closeBlockedRequests(pair, tx) },
      .inDatabase(.closeAllBlockedRequests) { _, _, tx in try await closeAllBlockedRequests(tx) },
    ]
  }

  // MARK: Account deletion

  /// Cleans up some books of one user who deleted the account, and schedules a further run for the rest.
  private func settle(_ tx: Transaction) async throws {
    guard let user = try await tx.first(UserToCleanUp()) else { return }
    let books = try await tx.rows(BooksOfDeletedAccount(userID: user, limit: Int64(Self.batch)))
    for book in books { try await operations.settleAccount(of: user, on: book, tx) }
    if books.count < Self.batch { try await tx.execute(MarkCleanedUp(userID: user)) }
    try await operations.scheduleSettlement(tx)
  }

  /// Completes some returns that one party confirmed and the other cannot confirm any more, and schedules a further run for the rest.
  ///
  /// Account deletions complete returns themselves; this mends loans from before they did.
  private func completeReturns(_ tx: Transaction) async throws {
    let loans = try await tx.rows(ReturnsToComplete(limit: Int64(Self.batch)))
    for loan in loans { try await operations.completeReturn(of: loan, tx) }
    if loans.count == Self.batch { try await operations.scheduleCompletions(tx) }
  }

  // MARK: Blocks

  /// Closes some of the requests between two users, as steps of the blocker, and schedules a further run for the rest.
  private func closeBlockedRequests(_ pair: String, _ tx: Transaction) async throws {
    let users = pair.split(separator: "/").compactMap { UserID($0) }
    guard users.count == 2 else { throw JobRefusal("its payload names no two people") }
    let books = try await tx.rows(BooksBetween(blockerID: users[0], blockedID: users[1], limit: Int64(Self.batch)))
    for book in books { try await operations.closeBlockedRequests(for: book, between: users[0], and: users[1], tx) }
    if books.count == Self.batch { try await operations.scheduleClosings([(blocker: users[0], blocked: users[1])], tx) }
  }

  /// Closes some of the requests between all users of whom one has blocked the other, and schedules a further run for the rest.
  private func closeAllBlockedRequests(_ tx: Transaction) async throws {
    let requests = try await tx.rows(BlockedRequests(limit: Int64(Self.batch)))
    for request in requests {
      try await operations.closeBlockedRequests(
        for: request.bookID, between: request.blockerID, and: request.blockedID, tx)
    }
    if requests.count == Self.batch { try await operations.scheduleClosings(tx) }
  }
}
