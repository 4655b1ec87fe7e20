import Identifiers
import MatchingDomain
import Testing

@Suite("the end of joins")
struct JoinEndTests {
  private static let now = Instant(microseconds: 1_800_000_000_000_000)

  @Test("[MA-15] joins end 15 minutes before the start, at the start where that has passed, or as the poster says")
  func ends() throws {
    for (start, wish, end) in [
      (3_600, nil, 2_700), (901, nil, 1), (900, nil, 900), (60, nil, 60), (3_600, 3_600, 3_600), (3_600, 1, 1),
      (3_600, 0, nil), (3_600, -1, nil), (3_600, 3_601, nil),
    ] as [(Int, Int?, Int?)] {
      let begin = Self.now + .seconds(start)
      let slot = try #require(Slot(from: begin, to: begin + .seconds(3_600)))
      let decided = JoinEnd.decide(wish.map { Self.now + .seconds($0) }, for: slot, at: Self.now)
      #expect(decided == end.map { Self.now + .seconds($0) }, "\(start), \(String(describing: wish))")
    }
  }

  @Test("[MA-16] what is counted is refused beyond its number until the window ends")
  func limits() {
    let begin = Self.now - .seconds(60)
    #expect(NewsLimits.wait(joins: 20, since: begin, at: Self.now) == nil)
    #expect(NewsLimits.wait(joins: 21, since: begin, at: Self.now) == .seconds(86_340))
    #expect(NewsLimits.wait(posts: 60, since: begin, at: Self.now) == nil)
    #expect(NewsLimits.wait(posts: 61, since: begin, at: Self.now) == .seconds(86_340))
  }
}
