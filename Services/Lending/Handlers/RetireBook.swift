import FieldViolations
import Idempotency
import Identifiers
import LendingDomain
import LendingStore
import Postgres
import TTRPC
import TandemLending
import Timestamps

extension Loans {
  /// Retires a book that is about to be deleted, if it is available ([CA-24]).
  package func retireBook(_ call: RetireBookRequest, _ context: CallContext) async throws -> RetireBookResponse {
    var bad = Violations()
    let id = bad.bookID(call.bookID)
    let owner = bad.require("owner_id", UserID(call.ownerID), "This is no user id", LendingReason.ownerIDInvalid)
    let isbn = bad.require("isbn", ISBN(complete: call.isbn), ISBN.refusal, LendingReason.invalidIsbn)
    let book = try bad.all(id, owner, isbn)
    // An unknown book may be requested concurrently: a row is needed to lock.
    let put = PutBook(ownerID: book.1, bookID: book.0, isbn: book.2, title: call.title, description: "")
    return try await idempotency.execute(.init(validateOnly: call.validateOnly)) { tx in
      if try await tx.first(LockedBook(bookID: book.0)) == nil { try await put.keep(in: tx) }
      guard let locked = try await tx.first(LockedBook(bookID: book.0)) else { throw LoanRefusal.noSuchBook }
      try BookStatus.retire(locked.facts)
      let since = try await tx.first(MarkRetired(now: environment.clock.now, bookID: book.0)) ?? environment.clock.now
      return RetireBookResponse(retireTime: since.timestamp)
    }
  }
}
