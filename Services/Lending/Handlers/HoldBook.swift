import FieldViolations
import Idempotency
import LendingDomain
import LendingOperations
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
    try await operations.requireOwnBook(id, of: owner)
    return try await idempotency.execute(
      call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)
    ) { tx in
      let hold = try await operations.holdBook(id, by: owner, tx)
      return HoldBookResponse(holdTime: hold.since.timestamp, declined: Int32(hold.declined))
    }
  }

  /// Releases one of the caller's books that is on hold ([CA-29]).
  package func releaseBook(_ call: ReleaseBookRequest, _ context: CallContext) async throws -> ReleaseBookResponse {
    let owner = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let bookID = bad.bookID(call.bookID)
    let id = try bad.all(bookID)
    try await operations.requireOwnBook(id, of: owner)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await operations.releaseBook(id, by: owner, tx)
      return ReleaseBookResponse()
    }
  }
}
