import MatchingDomain
import Testing

@Suite("When a saved search admits sessions")
struct SearchTimesTests {
  @Test("[MA-3] days are kept as a sum, and told as they were given")
  func days() throws {
    let times = try #require(SearchTimes(days: [1, 3, 7], minutes: nil, zone: "Europe/Berlin"))
    #expect(times.weekdays == 1 + 4 + 64)
    #expect(SearchTimes.days(of: times.weekdays) == [1, 3, 7])
    #expect(SearchTimes(days: [], minutes: nil, zone: "Europe/Berlin") == .always)
  }

  @Test(
    "[MA-3] what is no day, occurs twice or has no zone is refused",
    arguments: [([0], "UTC"), ([8], "UTC"), ([2, 2], "UTC"), ([2], nil)] as [([Int], String?)])
  func refusals(days: [Int], zone: String?) {
    #expect(SearchTimes(days: days, minutes: nil, zone: zone) == nil)
  }

  @Test("[MA-3] minutes are those of a day, and need a zone")
  func minutes() throws {
    #expect(SearchTimes.Minutes(earliest: 0, latest: 1_439) != nil)
    #expect(SearchTimes.Minutes(earliest: -1, latest: 5) == nil)
    #expect(SearchTimes.Minutes(earliest: 5, latest: 1_440) == nil)
    let span = try #require(SearchTimes.Minutes(earliest: 1_320, latest: 60))
    #expect(SearchTimes(days: [], minutes: span, zone: nil) == nil)
    #expect(SearchTimes(days: [], minutes: span, zone: "UTC")?.weekdays == 127)
  }
}
