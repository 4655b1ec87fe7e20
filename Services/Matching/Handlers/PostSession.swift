import FieldViolations
import Idempotency
import Identifiers
import MatchingDomain
import MatchingOperations
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
    let (post, gymID) = try post(call, &bad)
    let applicant = try await operations.lookUpApplicant(owner)
    let gym = try await operations.lookUpGym(gymID)
    return try await idempotency.execute(call, key, .init(validateOnly: call.validateOnly)) { tx in
      let session = try await operations.postSession(post, by: applicant, in: gym, tx)
      return Session(session, at: environment.clock.now)
    }
  }

  /// The parsed request.
  private func post(
    _ call: PostSessionRequest, _ bad: inout Violations
  ) throws(BadFields) -> (post: SessionPost, gym: GymID) {
    let slot = bad.slotToPost(call, now: environment.clock.now)
    let gymID = bad.gymID(call.gymID)
    let focus = bad.require("focus", Focus(call.focus), "Say what the session is about", MatchingReason.focusRequired)
    let level = bad.require("level", Level(call.level), "Say your level", MatchingReason.levelRequired)
    let genders = bad.genders(call.genders)
    let joinEnd = bad.joinEnd(call, of: slot, now: environment.clock.now)
    let (theSlot, gym, theFocus, theLevel) = try bad.all(slot, gymID, focus, level)
    return (SessionPost(theSlot, theFocus, theLevel, admitting: genders, joinEnd: joinEnd), gym)
  }
}

extension Violations {
  /// The end of joins that the poster names, if any.
  fileprivate mutating func joinEnd(_ call: PostSessionRequest, of slot: Slot?, now: Instant) -> Instant? {
    guard let wire = call.joinEndTime else { return nil }
    let end = try? Instant(wire: wire)
    let isValid = end.map { end in slot.map { JoinEnd.decide(end, for: $0, at: now) != nil } ?? (end > now) } ?? false
    return require("join_end_time", isValid ? end : nil, PostRefusal.joinEndText, MatchingReason.joinEndInvalid)
  }

  fileprivate mutating func slotToPost(_ call: PostSessionRequest, now: Instant) -> Slot? {
    let start = time("start_time", call.startTime.map { time in Result { try Instant(wire: time) } })
    let end = time("end_time", call.endTime.map { time in Result { try Instant(wire: time) } })
    guard let start, let end else { return nil }
    let slot = Slot(from: start, to: end).flatMap { $0.canBePosted(at: now) ? $0 : nil }
    return require("start_time", slot, PostRefusal.slotText, MatchingReason.slotInvalid)
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
