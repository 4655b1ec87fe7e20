import GoogleType
import Identifiers
import TTRPC
import TandemCatalog
import TestSupport
import Testing

@Suite("opening hours of gyms", .timeLimit(.minutes(5)))
struct GymHoursTests {
  private func gym(_ id: String, _ hours: String, zone: String?) -> GymFixture {
    var tags = ["opening_hours": hours]
    tags["timezone"] = zone
    return GymFixture(id: id, latitude: 1, longitude: 1, tags: tags)
  }

  /// A moment of UTC, as seconds of 1970.
  private func set(_ catalog: RunningCatalog, _ date: (Int, Int, Int), _ hours: Int, _ minutes: Int) throws -> Int64 {
    let day = try #require(CivilDate(year: date.0, month: date.1, day: date.2)).daysSince1970
    let seconds = Int64(day * 86_400 + hours * 3_600 + minutes * 60)
    catalog.clock.set(Instant(microseconds: seconds * 1_000_000))
    return seconds
  }

  @Test("[CA-3] open now and the next change are told in the gym's zone, whichever it is, all year round")
  func zones() async throws {
    try await RunningCatalog.with { catalog in
      let hours = "Mo-Su 07:00-23:00"
      try await catalog.load([
        gym("sg", hours, zone: "Asia/Singapore"), gym("de", hours, zone: "Europe/Berlin"),
        gym("lh", hours, zone: "Australia/Lord_Howe"), gym("ny", hours, zone: "America/New_York"),
      ])
      func state(_ id: String) async throws -> (OpenState, Int64?) {
        let gym = try await catalog.gym(id)
        return (gym.openState, gym.nextChangeTime?.seconds)
      }
      var now = try set(catalog, (2026, 7, 1), 4, 30)
      #expect(try await state("sg") == (.open, now + (10 * 60 + 30) * 60))
      #expect(try await state("de") == (.closed, now + 30 * 60))
      #expect(try await state("lh") == (.open, now + 8 * 3_600))
      #expect(try await state("ny") == (.closed, now + (6 * 60 + 30) * 60))
      // Half a year later; the clock was not set on by a day at a time, so tables are read again.
      now = try set(catalog, (2027, 1, 1), 5, 30)
      #expect(try await state("de") == (.closed, now + 30 * 60))
      #expect(try await state("lh") == (.open, now + (6 * 60 + 30) * 60))
      #expect(try await state("ny") == (.closed, now + (6 * 60 + 30) * 60))
      // An hour before the clocks of Berlin go forward, seen from before.
      now = try set(catalog, (2027, 3, 28), 0, 0)
      #expect(try await state("de") == (.closed, now + 5 * 3_600))
      // The clock is set back.
      now = try set(catalog, (2026, 10, 25), 0, 0)
      #expect(try await state("de") == (.closed, now + 6 * 3_600))
    }
  }

  @Test("[CA-3] around a change of clocks the next change is told to the second, at whatever moment the zone was read")
  func clockChanges() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load([
        gym("de", "2027 Oct 31 03:00-05:00", zone: "Europe/Berlin"),
        gym("ny", "2027 Nov 07 02:00-05:00", zone: "America/New_York"),
        gym("lh", "2027 Apr 04 02:00-05:00", zone: "Australia/Lord_Howe"),
        gym("spring", "2027 Mar 28 02:30-05:00", zone: "Europe/Berlin"),
      ])
      func next(_ id: String, _ date: (Int, Int, Int), _ hours: Int) async throws -> (Int64?, Int32?) {
        _ = try set(catalog, date, hours, 0)
        // Nothing begins at a whole minute.
        catalog.clock.advance(by: .milliseconds(51_435))
        let time = try await catalog.gym(id).nextChangeTime
        return (time?.seconds, time?.nanos)
      }
      func moment(_ date: (Int, Int, Int), _ hours: Int, _ minutes: Int = 0) throws -> (Int64?, Int32?) {
        let day = try #require(CivilDate(year: date.0, month: date.1, day: date.2)).daysSince1970
        return (Int64(day * 86_400 + hours * 3_600 + minutes * 60), 0)
      }
      // The clocks of Berlin go from 03:00 back to 02:00 at 01:00 UTC: 03:00 comes an hour later.
      #expect(try await next("de", (2027, 10, 30), 12) == moment((2027, 10, 31), 2))
      #expect(try await next("ny", (2027, 11, 6), 12) == moment((2027, 11, 7), 7))
      // Lord Howe's go back by half an hour.
      #expect(try await next("lh", (2027, 4, 3), 0) == moment((2027, 4, 3), 15, 30))
      // What the clocks skip begins after the gap.
      #expect(try await next("spring", (2027, 3, 27), 12) == moment((2027, 3, 28), 1))
    }
  }

  @Test("[CA-3] a gym does not open on a day on which the clocks skip all of its hours")
  func skippedHours() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load([gym("de", "Su 02:00-02:45", zone: "Europe/Berlin")])
      for hours in [0, 1] {
        // The clocks go from 02:00 to 03:00 at 01:00 UTC; the gym opens a week later, at 00:00 UTC.
        let now = try set(catalog, (2027, 3, 28), hours, 0)
        let gym = try await catalog.gym("de")
        #expect(gym.openState == .closed && gym.nextChangeTime?.seconds == now + Int64(7 * 24 - hours) * 3_600)
      }
    }
  }

  @Test("[CA-3] hours past midnight, days off, exceptions and the ordinary week are in the answer")
  func details() async throws {
    try await RunningCatalog.with { catalog in
      _ = try set(catalog, (2026, 12, 20), 12, 0)
      try await catalog.load([
        gym(
          "a", "Mo-Th 06:00-12:00,14:00-24:00; Fr 20:00-04:00; PH off; Dec 24 off; Dec 25 10:00-12:00",
          zone: "Europe/Paris")
      ])
      let hours = try #require(try await catalog.gym("a").openingHours)
      #expect(
        hours.understood && hours.hasPublicHolidayRule
          && hours.week.map(\.weekday) == [.monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday])
      func times(_ spans: [OpenSpan]) -> [String] {
        spans.map { span in
          [span.openTime, span.closeTime].map { "\($0?.hours ?? -1):\($0?.minutes ?? -1)" }.joined(separator: "-")
        }
      }
      #expect(times(hours.week[0].spans) == ["6:0-12:0", "14:0-24:0"])
      #expect(times(hours.week[4].spans) == ["20:0-4:0"] && hours.week[5].spans.isEmpty)
      #expect(hours.exceptions.map { $0.date?.day } == [24, 25])
      #expect(hours.exceptions.map { times($0.spans) } == [[], ["10:0-12:0"]])
    }
  }

  @Test("[CA-3] the ordinary week of a gym with seasons is that of the present one")
  func seasons() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load([gym("a", "Apr-Sep Mo-Fr 06:00-22:00; Oct-Mar Mo-Fr 08:00-20:00", zone: "Europe/Paris")])
      _ = try set(catalog, (2027, 7, 1), 12, 0)
      let summer = try #require(try await catalog.gym("a").openingHours)
      #expect(summer.week.map { $0.spans.first?.openTime?.hours } == [6, 6, 6, 6, 6, nil, nil])
      #expect(summer.exceptions.isEmpty)
      _ = try set(catalog, (2027, 12, 1), 12, 0)
      let winter = try #require(try await catalog.gym("a").openingHours)
      #expect(winter.week.map { $0.spans.first?.openTime?.hours } == [8, 8, 8, 8, 8, nil, nil])
    }
  }

  @Test("[CA-3] hours that are not understood are given as text; without hours or zone nobody knows whether it is open")
  func unknown() async throws {
    try await RunningCatalog.with { catalog in
      try await catalog.load([
        gym("text", "Mo-Fr sunrise-sunset", zone: "Europe/Paris"), gym("zoneless", "Mo-Su 00:00-12:00", zone: nil),
        gym("always", "24/7", zone: nil), GymFixture(id: "none", latitude: 1, longitude: 1),
      ])
      let text = try await catalog.gym("text")
      #expect(text.openingHours?.text == "Mo-Fr sunrise-sunset" && text.openingHours?.understood == false)
      #expect(text.openState == .unspecified && text.nextChangeTime == nil && text.openingHours?.week.isEmpty == true)
      let zoneless = try await catalog.gym("zoneless")
      #expect(zoneless.openState == .unspecified && zoneless.openingHours?.week.count == 7 && zoneless.timeZone.isEmpty)
      let always = try await catalog.gym("always")
      #expect(always.openState == .open && always.nextChangeTime == nil)
      #expect(try await catalog.gym("none").openingHours == nil)
      // A zone that the database has no more.
      try await catalog.sql("update gyms set time_zone = 'Europe/Atlantis'")
      #expect(try await catalog.gym("zoneless").openState == .unspecified)
      #expect(try await catalog.nearest(1, 1).gyms.count == 4)
    }
  }
}
