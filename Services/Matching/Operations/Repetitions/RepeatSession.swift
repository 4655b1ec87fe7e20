import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Repeats a session of a user every week ([MA-19]).
  ///
  /// - Parameter lastDay: `nil` for a repetition without an end.
  package func repeatSession(
    _ id: SessionID, by user: UserID, until lastDay: CivilDate?, _ tx: Transaction
  ) async throws -> StoredRepetition {
    let now = environment.clock.now
    try await tx.enter(user, at: now)
    guard let session = try await tx.first(SessionByID(sessionID: id)) else { throw SessionRefusal.noSuchSession }
    try session.facts.checkRepeatable(by: user, at: now)
    guard let start = try await tx.first(LocalStart(userID: user, sessionID: id)) else {
      throw SessionRefusal.noSuchSession
    }
    guard !start.isRepeated else { throw RepetitionRefusal.alreadyRepeated }
    try RepetitionRule.check(lastDay, startingOn: start.day)
    let stored = try await insert(id, of: user, start, until: lastDay, tx)
    // The next one is posted when this one begins.
    try await scheduleRepetition(stored.id, at: session.slot.start, tx)
    return stored
  }

  private func insert(
    _ id: SessionID, of user: UserID, _ start: LocalStart.Row, until lastDay: CivilDate?, _ tx: Transaction
  ) async throws -> StoredRepetition {
    let insert = InsertRepetition(
      repetitionID: environment.newID(), userID: user, minuteOfDay: start.minute, offsetUs: start.offsetUs,
      nextDay: RepetitionRule.firstDay(after: start.day), untilDay: lastDay, now: environment.clock.now, sessionID: id)
    do {
      if let stored = try await tx.first(insert) { return stored }
    } catch let error as PostgresError where error.constraint == MatchingSchema.repetitionOnce {
      throw RepetitionRefusal.alreadyRepeated
    }
    throw RepetitionRefusal.tooManyRepetitions
  }
}
