import Geography
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Checks a user in at the gym ([MA-8], [MA-9]).
  ///
  /// - Parameters:
  ///   - accuracy: the radius of the fix.
  ///   - arrival: when the request arrived, which counts however long it waits for others.
  /// - Returns: the session, and the moment that counted: the arrival, but not after the database's present.
  package func checkIn(
    _ user: UserID, to id: SessionID, at place: GeoPoint, accuracy: Metres, arrival: Instant, _ tx: Transaction
  ) async throws -> (session: StoredSession, moment: Instant) {
    // The judgement of the session waits for this transaction from here on.
    try await tx.execute(HoldJudgement(sessionID: id))
    let moment = min(arrival, try await transitions.trustedNow(tx))
    // The participants' attendance may change: users are locked before sessions.
    try await tx.execute(LockParticipants(sessionID: id))
    let session = try await locked(id, tx)
    let area = try await tx.first(GymAreaOf(sessionID: id))
    let gym = GymArea(
      around: session.gym.point, radius: area?.gymRadiusM.map { Metres($0) }, outline: area?.gymOutline ?? [])
    guard
      let effect = try CheckIn.decide(session.facts, in: gym, by: user, at: place, accuracy: accuracy, now: moment)
    else { return (session, moment) }
    return (try await transitions.checkIn(user, session, effect, at: moment, tx), moment)
  }
}
