import FieldViolations
import Idempotency
import LendingDomain
import LendingStore
import Postgres
import TTRPC
import TandemLending

extension Loans {
  /// Asks the owner for a book ([LE-1]); whether it can be asked for is judged by what is stored here ([LE-15]).
  package func requestBook(_ call: RequestBookRequest, _ context: CallContext) async throws -> Loan {
    let borrower = try context.personID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let bookID = bad.bookID(call.bookID)
    let id = try bad.all(bookID)
    try await snapshots.prepare(id)
    return try await replays.once(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) { tx in
      let (books, isHere) = try await tx.rows(LockedBook(id), EnteredPerson(borrower))
      guard let book = books.first else { throw LoanRefusal.noSuchBook }
      try await enter(borrower, isHere.first, tx)
      let asker = AskerOfBook(borrower, of: id, ownedBy: book.facts.ownerID, now: ambient.clock.now)
      guard let row = try await tx.first(asker) else { throw LoanRefusal.noSuchBook }
      let decision = try BookStatus.request(book.facts, by: row.asker(borrower))
      let loan = try await journal.begin(ambient.newID(), of: id, for: borrower, decision, tx)
      return Loan(loan, at: ambient.clock.now)
    }
  }

  /// Keeps a person's departure from being noted until the transaction ends.
  ///
  /// - Parameter found: whether the person may write, as their row says that the transaction shares a lock on; `nil` when they have none yet.
  private func enter(_ person: PersonID, _ found: Bool?, _ tx: Transaction) async throws {
    var isHere = found
    if isHere == nil {
      try await tx.execute(EnterPerson(person))
      isHere = try await tx.first(EnteredPerson(person))
    }
    guard isHere == true else { throw Status.notAUser }
  }
}
