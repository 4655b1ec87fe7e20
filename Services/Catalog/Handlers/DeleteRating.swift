import CatalogDomain
import CatalogStore
import FieldViolations
import Idempotency
import Identifiers
import Jobs
import TTRPC
import TandemCatalog

extension Books {
  /// Deletes the caller's rating of a book ([CA-28]).
  package func deleteRating(_ call: DeleteRatingRequest, _ context: CallContext) async throws -> DeleteRatingResponse {
    let reader = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.require("isbn", ISBN(call.isbn), ISBN.refusal, CatalogReason.invalidIsbn)
    let isbn = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      guard try await tx.first(EnterUser(userID: reader)) != nil else { throw Status.notAUser }
      guard try await tx.first(RemoveRating(userID: reader, isbn: isbn)) != nil else { throw Status.noSuchRating }
      try await tx.schedule(RecommendationJob.after(environment.clock.now), with: jobs)
      try await count(-1, of: reader, tx)
      return DeleteRatingResponse()
    }
  }
}
