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
      guard let book = try await tx.first(LockedBook(id)) else { throw LoanRefusal.noSuchBook }
      try await enter(borrower, tx)
      let asker = AskerOfBook(borrower, of: id, ownedBy: book.facts.ownerID)
      guard let row = try await tx.first(asker) else { throw LoanRefusal.noSuchBook }
      let decision = try BookStatus.request(book.facts, by: row.asker(borrower))
      let loan = try await journal.begin(ambient.newID(), of: id, for: borrower, decision, tx)
      return Loan(loan, at: ambient.clock.now)
    }
  }

  /// Keeps a person's departure from being noted until the transaction ends.
  private func enter(_ person: PersonID, _ tx: Transaction) async throws {
    var isHere = try await tx.first(EnteredPerson(person))
    if isHere == nil {
      try await tx.execute(EnterPerson(person))
      isHere = try await tx.first(EnteredPerson(person))
    }
    guard isHere == true else { throw Status.notAUser }
  }
}
