import Identifiers
import LendingDomain
import LendingStore
import Postgres

extension LoanOperations {
  /// Looks a book up in the catalog if details are missing that a request copies; before ``requestBook(_:by:_:)``.
  package func prepareRequest(of id: BookID) async throws { try await bookCache.prepare(id) }

  /// Requests a book ([LE-1]); whether it can be requested is decided by lending's own data ([LE-15]).
  package func requestBook(_ id: BookID, by borrower: UserID, _ tx: Transaction) async throws -> StoredLoan {
    // The borrower's row, which is created if necessary, before the book: no account deletion and no block is stored
    // until the transaction ends.
    tx.queue(LockRequestsOfUser(userID: borrower))
    tx.queue(EnterUser(userID: borrower))
    let (mayWrite, books) = try await tx.rows(EnteredUser(userID: borrower), LockedBook(bookID: id))
    guard let book = books.first else { throw LoanRefusal.noSuchBook }
    guard mayWrite.first == true else { throw LoanFailure.noAccount }
    // Read once the user's row is locked, so that it sees every block that was stored before.
    let asking = AskerOfBook(borrower, of: id, ownedBy: book.facts.ownerID, now: environment.clock.now)
    guard let asker = try await tx.first(asking)?.asker(borrower) else { throw LoanRefusal.noSuchBook }
    let decision = try BookStatus.request(book.facts, by: asker)
    return try await transitions.begin(environment.newID(), of: id, for: borrower, decision, tx)
  }
}
