import Cryptography
import FieldViolations
import Idempotency
import MatchingOperations
import MatchingStore
import TTRPC
import TandemMatching

extension Calendars {
  /// Creates a link by which anyone who has it reads the caller's sessions. Its secret is in this answer only.
  package func createCalendarLink(
    _ call: CreateCalendarLinkRequest, _ context: CallContext
  ) async throws -> CreateCalendarLinkResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    try bad.check()
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      let token = SecretToken(randomness: environment.randomness)
      let link = try await operations.createCalendarLink(for: user, secretHash: token.hash, tx)
      return CreateCalendarLinkResponse(link: CalendarLink(link), token: token.text)
    }
  }
}
