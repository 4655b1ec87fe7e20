import Environment
import Identifiers
import TestSupport
import Testing

@Suite struct InstantTests {
  @Test(
    "[C-8] an instant reads as RFC 3339 in UTC",
    arguments: [
      (0, "1970-01-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
      (1_709_251_199_000_001, "2024-02-29T23:59:59.000001Z"), (4_102_444_800_000_000, "2100-01-01T00:00:00.000000Z"),
    ])
  func text(microseconds: Int64, expected: String) {
    #expect(Instant(microseconds: microseconds).description == expected)
  }

  @Test("adding and taking away durations is exact to the microsecond")
  func arithmetic() {
    let start = Instant(microseconds: -1_500_000)
    #expect((start + .milliseconds(2_500)).microseconds == 1_000_000)
    #expect((start - .microseconds(1)).microseconds == -1_500_001)
    #expect(start + .seconds(3) - start == .seconds(3))
    #expect(start.wholeSeconds == -2)
    #expect(Instant(microseconds: -1).wholeMilliseconds == -1)
    #expect(start < start + .microseconds(1))
  }

  @Test("[C-8] only real days are dates")
  func days() {
    #expect(CivilDate(year: 2024, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 2023, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 1900, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2000, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 2023, month: 4, day: 31) == nil)
    #expect(CivilDate(year: 2023, month: 13, day: 1) == nil)
    #expect(CivilDate(year: 2023, month: 0, day: 1) == nil)
    #expect(CivilDate(year: 0, month: 1, day: 1) == nil)
  }

  @Test("days since 1970 lead to the date and back, over four centuries")
  func dayNumbers() {
    var before = CivilDate(daysSince1970: -80_001)
    for number in -80_000...80_000 {
      let date = CivilDate(daysSince1970: number)
      #expect(date.daysSince1970 == number)
      #expect(before < date)
      #expect(CivilDate(year: date.year, month: date.month, day: date.day) == date)
      before = date
    }
    #expect(CivilDate(daysSince1970: 20_778).description == "2026-11-21")
  }

  @Test("a manual clock stands still until it is moved; the system's is near the present")
  func clocks() {
    let clock = ManualClock()
    #expect(clock.now.description == "2026-01-15T12:00:00.000000Z")
    clock.advance(by: .seconds(60))
    #expect(clock.now.description == "2026-01-15T12:01:00.000000Z")
    clock.set(Instant(microseconds: 5))
    #expect(clock.now == Instant(microseconds: 5))
    #expect(SystemClock().now > ManualClock().now - .seconds(86_400 * 365))
  }
}
