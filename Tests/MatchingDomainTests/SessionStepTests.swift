import Geography
import Identifiers
import MatchingDomain
import Testing

@Suite("what becomes of a session")
struct SessionStepTests {
  private static let now = Instant(microseconds: 1_800_000_000_000_000)
  private static let (owner, partner, stranger) = (user(1), user(2), user(3))

  private static func user(_ number: UInt64) -> UserID {
    UserID(UUID7(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | number))
  }

  /// A session of the owner, and of the partner unless it is open, lapsed or cancelled.
  private static func session(
    _ state: SessionState, startsIn: Duration = .seconds(3_600), checkedIn: Set<UserID> = []
  ) throws -> SessionFacts {
    let isAlone = state == .open || state == .lapsed || state == .cancelled
    return SessionFacts(
      ownerID: owner, partnerID: isAlone ? nil : partner, state: state,
      slot: try #require(Slot(from: now + startsIn, to: now + startsIn + .seconds(3_600))), admitted: .any,
      level: .expert, gym: try #require(GeoPoint(latitude: 1, longitude: 2)), checkedIn: checkedIn)
  }

  @Test("[C-9] an account deletion removes, leaves or fails a session by its state; one that is over stays")
  func accountDeletion() throws {
    func departure(_ session: SessionFacts) -> Departure? {
      Departure.byAccountDeletion(of: Self.owner, from: session, at: Self.now)
    }
    #expect(departure(try Self.session(.open)) == .remove)
    #expect(departure(try Self.session(.matched)) == .leave(to: Self.partner))
    #expect(departure(try Self.session(.matched, startsIn: .zero)) == .fail(telling: Self.partner))
    #expect(departure(try Self.session(.matched, checkedIn: [Self.owner])) == .fail(telling: Self.partner))
    #expect(departure(try Self.session(.matched, checkedIn: [Self.partner])) == .fail(telling: Self.partner))
    for state in SessionState.allCases where state.isOver { #expect(departure(try Self.session(state)) == nil) }
  }

  @Test("[C-10] a block takes the blocker out of a matched session with the blocked user that has not begun")
  func block() throws {
    func departure(_ session: SessionFacts, of blocked: UserID = Self.owner) -> Departure? {
      Departure.byBlock(of: blocked, by: Self.partner, from: session, at: Self.now)
    }
    #expect(departure(try Self.session(.matched)) == .leave(to: Self.owner))
    #expect(departure(try Self.session(.matched), of: Self.stranger) == nil)
    #expect(departure(try Self.session(.matched, startsIn: .zero)) == nil)
    #expect(departure(try Self.session(.matched, checkedIn: [Self.owner])) == nil)
    for state in SessionState.allCases where state != .matched {
      #expect(departure(try Self.session(state)) == nil)
    }
  }

  @Test("[MA-9] the first check-in tells the partner, the second starts the session, a repeated one does nothing")
  func checkIns() throws {
    let gym = GymArea(around: try #require(GeoPoint(latitude: 1, longitude: 2)))
    func effect(_ user: UserID, _ session: SessionFacts) throws -> CheckIn.Effect? {
      try CheckIn.decide(session, in: gym, by: user, at: gym.point, accuracy: Metres(5), now: Self.now)
    }
    #expect(try effect(Self.owner, Self.session(.matched, startsIn: .zero)) == .first(partner: Self.partner))
    let begun = try Self.session(.matched, startsIn: .zero, checkedIn: [Self.partner])
    #expect(try effect(Self.owner, begun) == .second(partner: Self.partner))
    #expect(try effect(Self.partner, begun) == nil)
    #expect(throws: SessionRefusal.notMatched) { try effect(Self.owner, Self.session(.open, startsIn: .zero)) }
    #expect(throws: SessionRefusal.noSuchSession) { try effect(Self.stranger, begun) }
  }

  @Test("[CA-15] the owner of an unmatched session that is yet to start shares it; to others it does not exist")
  func shares() throws {
    #expect(throws: Never.self) { try Self.session(.open).checkShareable(by: Self.owner, at: Self.now) }
    for (session, user, refusal) in [
      (try Self.session(.open), Self.stranger, .noSuchSession),
      (try Self.session(.cancelled), Self.owner, .noSuchSession),
      (try Self.session(.matched), Self.partner, .notTheOwner), (try Self.session(.matched), Self.owner, .taken),
      (try Self.session(.open, startsIn: .zero), Self.owner, .started),
    ] as [(SessionFacts, UserID, SessionRefusal)] {
      #expect(throws: refusal) { try session.checkShareable(by: user, at: Self.now) }
    }
  }

  @Test("[MA-19] the owner repeats a session that is yet to start, until a day from the week after it on")
  func repetitions() throws {
    #expect(throws: Never.self) { try Self.session(.matched).checkRepeatable(by: Self.owner, at: Self.now) }
    for (session, user, refusal) in [
      (try Self.session(.lapsed), Self.owner, .noSuchSession), (try Self.session(.open), Self.stranger, .noSuchSession),
      (try Self.session(.matched), Self.partner, .notTheOwner),
      (try Self.session(.open, startsIn: .zero), Self.owner, .started),
    ] as [(SessionFacts, UserID, SessionRefusal)] {
      #expect(throws: refusal) { try session.checkRepeatable(by: user, at: Self.now) }
    }
    let day = CivilDate(daysSince1970: 20_000)
    for days in [7, 366] {
      let last = CivilDate(daysSince1970: day.daysSince1970 + days)
      #expect(throws: Never.self) { try RepetitionRule.check(last, startingOn: day) }
    }
    for days in [6, 367] {
      let last = CivilDate(daysSince1970: day.daysSince1970 + days)
      #expect(throws: RepetitionRefusal.lastDayInvalid) { try RepetitionRule.check(last, startingOn: day) }
    }
    #expect(throws: Never.self) { try RepetitionRule.check(nil, startingOn: day) }
  }

  @Test("[MA-12] participants are reminded an hour before the start, unless that has passed")
  func reminders() {
    let start = Self.now + .seconds(3_600)
    #expect(SessionReminder.moment(before: start, at: Self.now - .microseconds(1)) == Self.now)
    #expect(SessionReminder.moment(before: start, at: Self.now) == nil)
  }
}
