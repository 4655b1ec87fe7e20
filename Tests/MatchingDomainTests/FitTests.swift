import Geography
import Identifiers
import MatchingDomain
import Testing

@Suite("how well sessions fit")
struct FitTests {
  private static let noon = Instant(microseconds: 1_768_478_400_000_000)
  private static let gym = GeoPoint(latitude: 1.29, longitude: 103.85)

  /// An hour at noon, of an expert about whom nothing is known, so many minutes and metres away.
  private static func offer(
    minutes: Int = 0, metres: Double = 0, focus: Focus = .strength, level: Level = .advanced,
    _ reputation: Reputation = Reputation()
  ) throws -> Offer {
    let start = noon + .seconds(minutes * 60)
    let slot = try #require(Slot(from: start, to: start + .seconds(3_600)))
    let place = try #require(
      GeoPoint(latitude: 1.29 + metres / GeoPoint.earthRadius.value * 180 / .pi, longitude: 103.85))
    return Offer(slot: slot, gym: place, focus: focus, level: level, reputation: reputation)
  }

  private static func score(_ offer: Offer) -> Double {
    Fit(
      offer,
      for: Wish(
        since: noon, until: noon + .seconds(3_600), point: gym, focuses: [.strength, .cardio], level: .advanced)
    ).score
  }

  @Test("[MA-4] the weights add up to one, so a perfect fit of a perfect partner comes near one")
  func weights() throws {
    let sum =
      Fit.Weight.slot + Fit.Weight.distance + Fit.Weight.focus + Fit.Weight.level + Fit.Weight.rating
      + Fit.Weight.attendance
    #expect(abs(sum - 1) < 1e-12)
    let best = try Self.offer(Reputation(ratings: 1_000, sum: 5_000, attended: 1_000, missed: 0))
    #expect((0.99...1).contains(Self.score(best)))
  }

  @Test("[MA-4] the order is one that a person would agree with")
  func order() throws {
    let better: [(Offer, Offer, String)] = [
      (try Self.offer(), try Self.offer(minutes: 30), "all of the slot, not half of it"),
      (try Self.offer(minutes: 10), try Self.offer(minutes: 50), "more of the slot"),
      (try Self.offer(metres: 200), try Self.offer(metres: 5_000), "round the corner, not across the town"),
      (try Self.offer(), try Self.offer(focus: .cardio), "what is wanted most"),
      (try Self.offer(focus: .cardio), try Self.offer(focus: .yoga, level: .expert), "what is wanted at all"),
      (try Self.offer(level: .advanced), try Self.offer(level: .novice), "a partner of one's own level"),
      (
        try Self.offer(Reputation(ratings: 20, sum: 96)), try Self.offer(Reputation(ratings: 20, sum: 50)),
        "a well-rated partner"
      ),
      (
        try Self.offer(Reputation(ratings: 40, sum: 190)), try Self.offer(Reputation(ratings: 1, sum: 5)),
        "many good ratings, not a single one"
      ),
      (
        try Self.offer(Reputation(attended: 20, missed: 0)), try Self.offer(Reputation(attended: 10, missed: 10)),
        "who turns up"
      ),
      (
        try Self.offer(metres: 300, Reputation(ratings: 5, sum: 15)),
        try Self.offer(metres: 20_000, Reputation(ratings: 50, sum: 250)), "near and average, not far and splendid"
      ),
      (
        try Self.offer(level: .novice), try Self.offer(minutes: 55, level: .advanced),
        "the right time, not the right level"
      ),
    ]
    for (one, other, why) in better { #expect(Self.score(one) > Self.score(other), "\(why)") }
  }

  @Test("[MA-4] a focus that was not named is as good as any where none was")
  func anyFocus() throws {
    let fit = Fit(try Self.offer(focus: .yoga), for: Wish(level: .advanced))
    #expect(fit.focus == 1 && fit.distance == 1 && fit.slot == 1)
  }
}

@Suite("reputation")
struct ReputationTests {
  @Test("[MA-11] the rating moves from 3.5 to the mean as ratings come in")
  func rating() {
    #expect(Reputation().rating == 3.5 && Reputation().mean == 0)
    #expect(Reputation(ratings: 5, sum: 25).rating == 4.25)
    #expect(Reputation(ratings: 1_000, sum: 5_000).rating > 4.99)
    #expect(Reputation(ratings: 1, sum: 5).rating < Reputation(ratings: 10, sum: 45).rating)
  }

  @Test("[MA-11] attendance is the share of kept appointments")
  func attendance() {
    #expect(Reputation(attended: 3, missed: 1).attendance == 0.75)
    #expect(Reputation().attendance == 0 && Reputation().reliability == 0.8)
  }
}

@Suite("slots and windows")
struct SlotTests {
  private static let now = Instant(microseconds: 1_768_478_400_000_000)

  @Test("[MA-2] slots that touch do not overlap; those that share a microsecond do")
  func overlap() throws {
    let first = try #require(Slot(from: Self.now, to: Self.now + .seconds(3_600)))
    let touching = try #require(Slot(from: first.end, to: first.end + .seconds(3_600)))
    let sharing = try #require(Slot(from: first.end - .microseconds(1), to: first.end + .seconds(3_600)))
    #expect(!first.overlaps(touching) && !touching.overlaps(first))
    #expect(first.overlaps(sharing) && sharing.overlaps(first))
    #expect(Slot(from: Self.now, to: Self.now) == nil)
  }

  @Test(
    "[MA-7] 60:00 before the start is notice enough, 59:59 is not",
    arguments: [(3_600, false), (3_599, true), (3_601, false)])
  func notice(seconds: Int, isLate: Bool) throws {
    let user = UserID(UUID7(high: 1, low: 1))
    let slot = try #require(
      Slot(from: Self.now + .seconds(seconds), to: Self.now + .seconds(seconds + 3_600)))
    let gym = try #require(GeoPoint(latitude: 0, longitude: 0))
    let facts = SessionFacts(
      ownerID: user, partnerID: nil, state: .open, slot: slot, admitted: .any, level: .expert, gym: gym)
    let decision = try Cancellation.decide(facts, by: user, at: Self.now)
    #expect(decision == .remove(barredUntil: isLate ? Self.now + .seconds(86_400) : nil))
  }

  @Test("[MA-3] what is stored for kinds of sessions and for genders keeps its numbers")
  func storedNumbers() {
    #expect(SessionKind(.strength, .novice, .male).number == 19)
    #expect(SessionKind(.cardio, .intermediate, .female).number == 101)
    #expect(SessionKind(.climbing, .expert, .other).number == 198)
    #expect(Gender.allCases.map { GenderSet($0).rawValue } == [1, 2, 4])
  }

  @Test("[MA-3] every kind of session has a number of its own")
  func kinds() {
    let all = SessionKind.all(Focus.allCases, Level.allCases, Gender.allCases)
    #expect(all.count == 180 && Set(all.map(\.number)).count == 180)
  }
}
