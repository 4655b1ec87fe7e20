import FieldViolations
import Idempotency
import Identifiers
import LendingDomain
import LendingStore
import Postgres
import TTRPC
import TandemLending

extension Loans {
  /// Requests a book ([LE-1]); whether it can be requested is decided by lending's own data ([LE-15]).
  package func requestBook(_ call: RequestBookRequest, _ context: CallContext) async throws -> Loan {
    let borrower = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let bookID = bad.bookID(call.bookID)
    let id = try bad.all(bookID)
    let key = context.requestKey(requestID)
    // By now the catalog may not have the book any more.
    if let first: Loan = try await idempotency.firstAnswer(to: call, key) { return first }
    try await bookCache.prepare(id)
    return try await idempotency.execute(call, key, .init(validateOnly: call.validateOnly)) { tx in
      let (_, books) = try await tx.rows(LockRequestsOfUser(userID: borrower), LockedBook(bookID: id))
      guard let book = books.first else { throw LoanRefusal.noSuchBook }
      let (isHere, askers) = try await tx.rows(
        EnteredUser(userID: borrower),
        AskerOfBook(borrower, of: id, ownedBy: book.facts.ownerID, now: environment.clock.now))
      try await enter(borrower, isHere.first, tx)
      guard let row = askers.first else { throw LoanRefusal.noSuchBook }
      let decision = try BookStatus.request(book.facts, by: row.asker(borrower))
      let loan = try await transitions.begin(environment.newID(), of: id, for: borrower, decision, tx)
      return shown(loan)
    }
  }

  /// Prevents the deletion of a user's account from being stored until the transaction ends.
  ///
  /// - Parameter found: whether the user may write, by their row, which the transaction holds a shared lock on; `nil` if they have no row
  ///   yet.
  private func enter(_ user: UserID, _ found: Bool?, _ tx: Transaction) async throws {
    var isHere = found
    if isHere == nil {
      try await tx.execute(EnterUser(userID: user))
      isHere = try await tx.first(EnteredUser(userID: user))
    }
    guard isHere == true else { throw Status.notAUser }
  }
}
