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
      // The borrower's row, which is created if necessary, before the book: no account deletion and no block is stored
      // until the transaction ends.
      tx.queue(LockRequestsOfUser(userID: borrower))
      tx.queue(EnterUser(userID: borrower))
      let (mayWrite, books) = try await tx.rows(EnteredUser(userID: borrower), LockedBook(bookID: id))
      guard let book = books.first else { throw LoanRefusal.noSuchBook }
      guard mayWrite.first == true else { throw Status.notAUser }
      // Read once the user's row is locked, so that it sees every block that was stored before.
      let asking = AskerOfBook(borrower, of: id, ownedBy: book.facts.ownerID, now: environment.clock.now)
      guard let asker = try await tx.first(asking)?.asker(borrower) else { throw LoanRefusal.noSuchBook }
      let decision = try BookStatus.request(book.facts, by: asker)
      let loan = try await transitions.begin(environment.newID(), of: id, for: borrower, decision, tx)
      return shown(loan)
    }
  }
}
