import Geography
import Identifiers
import MatchingDomain
import Testing

@Suite("Waiting for a place in a session")
struct WaitingRuleTests {
  private static let now = Instant(microseconds: 1_800_000_000_000_000)
  private static func user(_ number: UInt64) -> UserID {
    UserID(UUID7(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | number))
  }

  private static func session(
    _ state: SessionState = .matched, level: Level = .expert, admitted: GenderSet = .any,
    startsIn: Duration = .seconds(3_600),
    offeredTo: UInt64? = nil
  ) throws -> SessionFacts {
    SessionFacts(
      ownerID: user(1), partnerID: state == .matched ? user(2) : nil, state: state,
      slot: try #require(Slot(from: now + startsIn, to: now + startsIn + .seconds(3_600))), admitted: admitted,
      level: level, gym: try #require(GeoPoint(latitude: 1, longitude: 2)),
      offer: offeredTo.map { PlaceOffer(to: user($0), until: now + .seconds(60)) })
  }

  private static func refusal(
    _ session: SessionFacts, of number: UInt64 = 3, level: Level = .novice, inList: Int = 0,
    lists: Int = 0
  ) -> WaitingRefusal? {
    do throws(WaitingRefusal) {
      try WaitingRule.check(
        session, Applicant(id: user(number), gender: .female, level: level),
        inList: inList, lists: lists, at: now)
      return nil
    } catch { return error }
  }

  @Test("[MA-17] a user waits for a matched session, or one whose place is offered to another")
  func waits() throws {
    #expect(Self.refusal(try Self.session()) == nil)
    #expect(Self.refusal(try Self.session(.open, offeredTo: 4)) == nil)
    #expect(Self.refusal(try Self.session(.open, offeredTo: 3)) == .sessionOpen)
    #expect(Self.refusal(try Self.session(.open)) == .sessionOpen)
  }

  @Test("[MA-17] who could not join cannot wait either")
  func refusals() throws {
    #expect(Self.refusal(try Self.session(), of: 1) == .session(.ownSession))
    #expect(Self.refusal(try Self.session(), of: 2) == .session(.ownSession))
    #expect(Self.refusal(try Self.session(.cancelled)) == .session(.noSuchSession))
    #expect(Self.refusal(try Self.session(startsIn: .zero)) == .session(.started))
    #expect(Self.refusal(try Self.session(startsIn: .microseconds(1))) == nil)
    #expect(Self.refusal(try Self.session(admitted: GenderSet(.male))) == .session(.genderNotAdmitted))
    #expect(Self.refusal(try Self.session(level: .novice)) == .session(.levelTooLow))
    #expect(Self.refusal(try Self.session(level: .novice), level: .advanced) == nil)
  }

  @Test("[MA-17] lists are short, and a user is in few")
  func limits() throws {
    #expect(Self.refusal(try Self.session(), inList: 49) == nil)
    #expect(Self.refusal(try Self.session(), inList: 50) == .listFull)
    #expect(Self.refusal(try Self.session(), lists: 49) == nil)
    #expect(Self.refusal(try Self.session(), lists: 50) == .tooManyWaiting)
  }

  @Test("[MA-17] a place is offered for 15 minutes, but not beyond the end of joins")
  func offers() {
    #expect(WaitingRule.offerEnd(before: Self.now + .seconds(901), at: Self.now) == Self.now + .seconds(900))
    #expect(WaitingRule.offerEnd(before: Self.now + .seconds(899), at: Self.now) == Self.now + .seconds(899))
  }
}
