import IdentityDomain
import Identifiers
import Testing

@Suite struct BadgeRuleTests {
  private static func days(_ numbers: [Int]) -> [CivilDate] { numbers.map { CivilDate(daysSince1970: 20_000 + $0) } }

  @Test(
    "[ID-64] the first, 10, 50 and 100 sessions earn a badge each",
    arguments: [(0, 0), (1, 1), (9, 1), (10, 2), (49, 2), (50, 3), (99, 3), (100, 4), (100_000, 4)])
  func sessions(count: Int64, earned: Int) {
    let all: [Badge] = [.firstSession, .tenSessions, .fiftySessions, .hundredSessions]
    #expect(Badge.earned(sessions: count) == Array(all.prefix(earned)))
  }

  @Test(
    "[ID-64] seven days in a row are a streak, in whatever order they became known, and no gap is passed over",
    arguments: [
      (Array(0..<7), true), ([6, 0, 5, 1, 4, 2, 3], true), ([0, 1, 2, 3, 4, 5], false), ([0, 1, 2, 4, 5, 6, 7], false),
      ([0, 2, 4, 6, 8, 10, 12], false), ([-6, -5, -4, -2, 0, 1, 2, 3, 4, 5, 6], true), ([1, 1, 1, 1, 1, 1, 1], false),
    ])
  func streak(days: [Int], isOne: Bool) {
    #expect(Badge.earned(trainingOn: Self.days(days)) == (isOne ? [.sevenDayStreak] : []))
  }

  @Test("[ID-64] six days before and after one can be in a streak with it")
  func window() { #expect(Badge.streakReach == 6) }

  @Test(
    "[ID-64] the first workout and the 50th earn a badge each", arguments: [(0, 0), (1, 1), (49, 1), (50, 2), (99, 2)])
  func workouts(count: Int64, earned: Int) {
    #expect(Badge.earned(workouts: count) == Array([.firstWorkout, .fiftyWorkouts].prefix(earned)))
  }

  @Test(
    "[ID-64] the first book lent and the tenth earn a badge each",
    arguments: [(0, 0), (1, 1), (9, 1), (10, 2), (99, 2)])
  func books(count: Int64, earned: Int) {
    #expect(Badge.earned(books: count) == Array([.firstBookLent, .tenBooksLent].prefix(earned)))
  }

  @Test(
    "[ID-64] 100 km in a month are exactly that or more",
    arguments: [(99_999.999, false), (100_000, true), (3e5, true)])
  func distance(metres: Double, isEnough: Bool) throws {
    let sum = try #require(Distance(metres: metres))
    #expect(Badge.earned(inOneMonth: sum) == (isEnough ? [.hundredKilometres] : []))
  }

  @Test("[ID-64] what is no distance does not count", arguments: [-0.001, .nan, .infinity, -.infinity, 1e9 + 1, 1e300])
  func noDistance(metres: Double) {
    #expect(Distance(metres: metres) == nil)
  }

  @Test("[ID-64] every badge has words of its own")
  func words() {
    #expect(Set(Badge.allCases.map(\.title)).count == Badge.allCases.count)
    #expect(Set(Badge.allCases.map(\.description)).count == Badge.allCases.count)
  }
}
