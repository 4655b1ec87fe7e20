import FieldViolations
import GoogleType
import Idempotency
import Identifiers
import Jobs
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemMatching

extension Repetitions {
  /// Repeats a session of the caller every week.
  package func repeatSession(_ call: RepeatSessionRequest, _ context: CallContext) async throws -> Repetition {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.sessionID(call.sessionID)
    let until = bad.lastDay(call.untilDate)
    let id = try bad.all(named)
    return try await idempotency.execute(call, context.requestKey(requestID), .init(validateOnly: call.validateOnly)) {
      tx in
      let now = environment.clock.now
      try await tx.enter(user, at: now)
      guard let session = try await tx.first(SessionByID(sessionID: id)), session.facts.hasParticipant(user),
        !session.facts.state.isOver, let start = try await tx.first(LocalStart(userID: user, sessionID: id))
      else { throw SessionRefusal.noSuchSession }
      guard session.ownerID == user else {
        throw Status(MatchingReason.notTheOwner, "The session is another user's")
      }
      guard session.slot.start > now else { throw SessionRefusal.started }
      guard !start.isRepeated else { throw Status.alreadyRepeated }
      let first = CivilDate(daysSince1970: start.day.daysSince1970 + 7)
      try check(until, from: first, startingAt: start.day)
      let stored = try await insert(id, of: user, first, start, until: until, tx)
      // The next one is posted when this one begins.
      let job = Job(.repeatSession, "\(stored.id)", at: session.slot.start, key: "\(stored.id)")
      try await tx.schedule(job, with: jobs)
      return try Repetition(stored)
    }
  }

  private func insert(
    _ id: SessionID, of user: UserID, _ first: CivilDate, _ start: LocalStart.Row, until: CivilDate?, _ tx: Transaction
  ) async throws -> StoredRepetition {
    let insert = InsertRepetition(
      repetitionID: environment.newID(), userID: user, minuteOfDay: start.minute, offsetUs: start.offsetUs,
      nextDay: first, untilDay: until, now: environment.clock.now, sessionID: id)
    do {
      if let stored = try await tx.first(insert) { return stored }
    } catch let error as PostgresError where error.constraint == "repetitions_once" {
      throw Status.alreadyRepeated
    }
    throw Status(MatchingReason.tooManyRepetitions, "You repeat as many sessions as possible; end one")
  }

  private func check(_ until: CivilDate?, from first: CivilDate, startingAt day: CivilDate) throws {
    guard let until, until < first || until.daysSince1970 > day.daysSince1970 + 366 else { return }
    var bad = Violations()
    bad.add(
      "until_date", "The last day is in the week after the session or later, within 366 days",
      MatchingReason.untilInvalid)
    try bad.check()
  }
}

extension Status {
  fileprivate static let alreadyRepeated = Status(MatchingReason.alreadyRepeated, "The session is repeated already")
}

extension Violations {
  fileprivate mutating func lastDay(_ wire: GoogleType.Date?) -> CivilDate? {
    guard let wire else { return nil }
    return require(
      "until_date", CivilDate(year: Int(wire.year), month: Int(wire.month), day: Int(wire.day)),
      "There is no such day", MatchingReason.untilInvalid)
  }
}
