import FieldViolations
import Idempotency
import LendingDomain
import LendingStore
import TTRPC
import TandemLending
import Timestamps

extension Loans {
  /// Withholds one of the caller's available books, and declines the requests for it ([CA-29]).
  package func holdBook(_ call: HoldBookRequest, _ context: CallContext) async throws -> HoldBookResponse {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let bookID = bad.bookID(call.bookID)
    let id = try bad.all(bookID)
    try await ownBook(id, of: owner)
    return try await idempotency.execute(
      call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)
    ) { tx in
      guard let book = try await tx.first(LockedBook(bookID: id)) else { throw LoanRefusal.noSuchBook }
      do throws(LoanRefusal) { try BookStatus.hold(book.facts, by: owner) } catch .notAvailable { throw Status.notHeld }
      if let since = book.heldAt { return HoldBookResponse(holdTime: since.timestamp) }
      let declined = try await transitions.hold(book, by: owner, tx)
      return HoldBookResponse(holdTime: environment.clock.now.timestamp, declined: Int32(declined))
    }
  }

  /// Releases one of the caller's books that is on hold ([CA-29]).
  package func releaseBook(_ call: ReleaseBookRequest, _ context: CallContext) async throws -> ReleaseBookResponse {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let bookID = bad.bookID(call.bookID)
    let id = try bad.all(bookID)
    try await ownBook(id, of: owner)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      guard let book = try await tx.first(LockedBook(bookID: id)) else { throw LoanRefusal.noSuchBook }
      try BookStatus.release(book.facts, by: owner)
      if book.facts.isHeld { try await transitions.release(book, by: owner, tx) }
      return ReleaseBookResponse()
    }
  }
}

extension Status {
  /// As for a deletion, in other words.
  fileprivate static let notHeld = Status(
    LendingReason.bookNotAvailable, "A book that is promised or lent cannot be put on hold")
}
