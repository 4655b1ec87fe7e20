import FieldViolations
import Idempotency
import Identifiers
import MatchingDomain
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import Timestamps

extension Sessions {
  /// Posts a session ([MA-1], [MA-2], [MA-7]).
  package func postSession(_ call: PostSessionRequest, _ context: CallContext) async throws -> Session {
    let owner = try context.userID
    var bad = Violations()
    let key = context.requestKey(bad.requestID(call.requestID))
    // By now the session may have begun.
    if let first: Session = try await idempotency.firstAnswer(to: call, key) { return first }
    let post = try post(call, &bad)
    let applicant = try await applicants.applicant(owner)
    let gym = try await gyms.gym(post.gymID)
    return try await idempotency.execute(call, key, .init(validateOnly: call.validateOnly)) { tx in
      let now = environment.clock.now
      let poster = try await applicants.locked(applicant, tx)
      if let end = poster.barredUntil, end > now { throw SessionRefusal.barred(until: end) }
      // Time has passed since the request was read.
      guard post.slot.start > now else { throw BadFields.slotInvalid }
      guard let joinsEndAt = JoinEnd.decide(post.joinEnd, for: post.slot, at: now) else {
        throw BadFields.joinEndInvalid
      }
      let isTold = try await transitions.countPost(of: owner, tx)
      let insert = InsertSession(
        environment.newID(), of: poster, in: gym, post.slot, joinableUntil: joinsEndAt, post.focus, post.level,
        admitting: post.genders, now: now)
      guard let id = try await taking(slotBy: { try await tx.first(insert) }) else { throw Status.decidedOtherwise }
      return Session(try await transitions.recordPost(id, isTold: isTold, tx), at: now)
    }
  }

  /// Runs a statement that takes a slot of a user; the constraint says whether it is taken ([MA-2]).
  func taking<R>(slotBy body: () async throws -> R) async throws -> R {
    do { return try await body() } catch let error as PostgresError where error.constraint == MatchingSchema.overlap {
      throw SessionRefusal.slotTaken
    }
  }

  /// The parsed request.
  private struct Post {
    let slot: Slot
    let gymID: GymID
    let focus: Focus
    let level: Level
    let genders: GenderSet
    /// From when on it cannot be joined, if the poster says so.
    let joinEnd: Instant?
  }

  private func post(_ call: PostSessionRequest, _ bad: inout Violations) throws -> Post {
    let slot = bad.slotToPost(call, now: environment.clock.now)
    let gymID = bad.gymID(call.gymID)
    let focus = bad.require("focus", Focus(call.focus), "Say what the session is about", MatchingReason.focusRequired)
    let level = bad.require("level", Level(call.level), "Say your level", MatchingReason.levelRequired)
    let genders = bad.genders(call.genders)
    let joinEnd = bad.joinEnd(call, of: slot, now: environment.clock.now)
    let (theSlot, gym, theFocus, theLevel) = try bad.all(slot, gymID, focus, level)
    return Post(slot: theSlot, gymID: gym, focus: theFocus, level: theLevel, genders: genders, joinEnd: joinEnd)
  }
}

extension BadFields {
  fileprivate static let slotInvalid = BadFields("start_time", Violations.slotText, MatchingReason.slotInvalid)
  fileprivate static let joinEndInvalid = BadFields(
    "join_end_time", Violations.joinEndText, MatchingReason.joinEndInvalid)
}

extension Violations {
  fileprivate static let slotText =
    "A session starts in the future, at most 60 days ahead, and lasts 15 minutes to 8 hours"

  fileprivate static let joinEndText = "Joins end in the future, and at the start at the latest"

  /// The end of joins that the poster names, if any.
  fileprivate mutating func joinEnd(_ call: PostSessionRequest, of slot: Slot?, now: Instant) -> Instant? {
    guard let wire = call.joinEndTime else { return nil }
    let end = try? Instant(wire: wire)
    let isValid = end.map { end in slot.map { JoinEnd.decide(end, for: $0, at: now) != nil } ?? (end > now) } ?? false
    return require("join_end_time", isValid ? end : nil, Self.joinEndText, MatchingReason.joinEndInvalid)
  }

  fileprivate mutating func slotToPost(_ call: PostSessionRequest, now: Instant) -> Slot? {
    let start = time("start_time", call.startTime.map { time in Result { try Instant(wire: time) } })
    let end = time("end_time", call.endTime.map { time in Result { try Instant(wire: time) } })
    guard let start, let end else { return nil }
    let slot = Slot(from: start, to: end).flatMap { $0.canBePosted(at: now) ? $0 : nil }
    return require("start_time", slot, Self.slotText, MatchingReason.slotInvalid)
  }

  /// A time that must be there.
  private mutating func time(_ field: String, _ read: Result<Instant, any Error>?) -> Instant? {
    switch read {
    case nil: return require(field, nil, "Say when", MatchingReason.slotRequired)
    case .success(let time): return time
    case .failure: return require(field, nil, "This is not a time", MatchingReason.slotInvalid)
    }
  }

  /// A set of genders; empty for any.
  mutating func genders(_ wire: [TandemMatching.Gender]) -> GenderSet {
    let values = wire.compactMap { Gender($0) }
    guard values.count == wire.count, Set(values).count == values.count else {
      add("genders", "Name each gender at most once", MatchingReason.gendersInvalid)
      return .any
    }
    return values.isEmpty ? .any : values.reduce(into: []) { $0.insert(GenderSet($1)) }
  }
}
