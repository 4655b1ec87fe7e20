import FieldViolations
import Geography
import Idempotency
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
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
    let arrived = environment.clock.now
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      // The judgement of the session waits for this transaction from here on.
      try await tx.execute(HoldJudgement(sessionID: id))
      let arrived = min(arrived, try await transitions.trustedNow(tx))
      // The participants' attendance may change: users are locked before sessions.
      try await tx.execute(LockParticipants(sessionID: id))
      let session = try await locked(id, tx)
      let area = try await tx.first(GymAreaOf(sessionID: id))
      let changes = try CheckIn.decide(
        session.facts,
        in: GymArea(
          around: session.gym.point, radius: area?.gymRadiusM.map { Metres($0) }, outline: area?.gymOutline ?? []),
        by: user, at: place, accuracy: radius, now: arrived)
      guard changes else { return Session(session, at: arrived) }
      return Session(try await transitions.checkIn(user, session, at: arrived, tx), at: arrived)
    }
  }
}
