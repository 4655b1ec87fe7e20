import FieldViolations
import Geography
import Idempotency
import MatchingDomain
import MatchingOperations
import TTRPC
import TandemMatching

extension Sessions {
  /// Checks the caller in at the gym ([MA-8], [MA-9]).
  package func checkIn(_ call: CheckInRequest, _ context: CallContext) async throws -> Session {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let sessionID = bad.sessionID(call.sessionID)
    let point = bad.point(call.point)
    let accuracy = bad.require(
      "accuracy_m", call.accuracyM > 0 && call.accuracyM.isFinite ? Metres(call.accuracyM) : nil,
      "The accuracy must be a number of metres above 0", MatchingReason.accuracyInvalid)
    let (id, place, radius) = try bad.all(sessionID, point, accuracy)
    // When the request arrived counts, however long it waits for others.
    let arrival = environment.clock.now
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      let checked = try await operations.checkIn(user, to: id, at: place, accuracy: radius, arrival: arrival, tx)
      return Session(checked.session, at: checked.moment)
    }
  }
}
