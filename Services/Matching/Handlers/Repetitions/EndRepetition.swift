import FieldViolations
import Idempotency
import MatchingDomain
import MatchingOperations
import TTRPC
import TandemMatching

extension Repetitions {
  /// Ends one of the caller's repetitions.
  package func endRepetition(
    _ call: EndRepetitionRequest, _ context: CallContext
  ) async throws -> EndRepetitionResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.require(
      "repetition_id", RepetitionID(call.repetitionID), "This is not the id of a repetition",
      MatchingReason.repetitionIDInvalid)
    let id = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await operations.endRepetition(id, of: user, tx)
      return EndRepetitionResponse()
    }
  }
}
