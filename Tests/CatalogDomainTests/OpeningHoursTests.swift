import Identifiers
import Testing

@testable import CatalogDomain

@Suite("opening hours")
struct OpeningHoursTests {
  /// A zone that never changes its clocks.
  private static let utc = zone((0, 0))
  /// Berlin in 2026: summer time from 29 March, 01:00 UTC, to 25 October, 01:00 UTC.
  private static let berlin = zone((0, 3_600), (1_774_746_000, 7_200), (1_792_890_000, 3_600))

  private static func zone(_ changes: (Int64, Int)...) -> ZoneOffsets {
    let table = changes.map { ZoneOffsets.Change(at: Instant(microseconds: $0.0 * 1_000_000), seconds: $0.1) }
    guard let zone = ZoneOffsets(table) else { preconditionFailure("a zone has an offset") }
    return zone
  }

  /// A moment of UTC, `2026-11-21 16:30`.
  private func utc(_ text: String) throws -> Instant {
    let parts = text.split(whereSeparator: { "- :".contains($0) }).compactMap { Int($0) }
    let date = try #require(CivilDate(year: parts[0], month: parts[1], day: parts[2]))
    return Instant(microseconds: Int64(date.daysSince1970 * 86_400 + parts[3] * 3_600 + parts[4] * 60) * 1_000_000)
  }

  /// A week as `Mo 08:00-20:00, Sa 10:00-02:00`, closed days left out.
  private func week(_ text: String) throws -> String {
    let hours = try #require(OpeningHours(text), "\(text)")
    let days = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"].enumerated().compactMap { place, name in
      let spans = hours.spans(onWeekday: place).map { "\(Self.time($0.opens))-\(Self.time($0.closes))" }
      return spans.isEmpty ? nil : "\(name) \(spans.joined(separator: ","))"
    }
    return days.joined(separator: ", ")
  }

  private static func time(_ minute: Int) -> String {
    let (hours, minutes) = (minute / 60, minute % 60)
    return "\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
  }

  @Test(
    "[CA-3] the common forms are understood",
    arguments: [
      ("Mo-We 08:00-20:00", "Mo 08:00-20:00, Tu 08:00-20:00, We 08:00-20:00"),
      ("Mo,We,Fr 8:00-20:00", "Mo 08:00-20:00, We 08:00-20:00, Fr 08:00-20:00"),
      ("Sa-Mo 10:00-12:00", "Mo 10:00-12:00, Sa 10:00-12:00, Su 10:00-12:00"),
      ("We 08:00-12:00,14:00-18:00", "We 08:00-12:00,14:00-18:00"),
      ("We 08:00-12:00, 14:00-18:00; Th 09:00-10:00", "We 08:00-12:00,14:00-18:00, Th 09:00-10:00"),
      ("Mo-Tu 08:00-12:00, Tu 14:00-18:00", "Mo 08:00-12:00, Tu 08:00-12:00,14:00-18:00"),
      ("Mo-Tu 08:00-12:00; Tu 14:00-18:00", "Mo 08:00-12:00, Tu 14:00-18:00"),
      ("Mo-Tu 08:00-12:00; Tu off", "Mo 08:00-12:00"),
      ("mo 08:00 – 12:00 ; tu closed;", "Mo 08:00-12:00"),
      ("Fr 20:00-06:00", "Fr 20:00-30:00"), ("Fr 20:00-26:00", "Fr 20:00-26:00"),
      ("Fr 08:00-24:00", "Fr 08:00-24:00"), ("Fr 24/7", "Fr 00:00-24:00"), ("Fr open", "Fr 00:00-24:00"),
      ("Fr 00:00-00:00", "Fr 00:00-24:00"), ("Mo: 09:00-10:00", "Mo 09:00-10:00"),
      ("Mo,PH 09:00-10:00; PH off", "Mo 09:00-10:00"), ("PH,Mo 09:00-10:00", "Mo 09:00-10:00"),
      ("Mo 09:00-10:00; Dec 25 off; Jun-Aug Tu 11:00-12:00", "Mo 09:00-10:00"),
    ])
  func understood(text: String, expected: String) throws {
    #expect(try week(text) == expected, "\(text)")
  }

  @Test("[CA-3] every day, and all day, need no weekdays")
  func everyDay() throws {
    let daily = try #require(OpeningHours("08:00-21:00"))
    #expect((0..<7).allSatisfy { daily.spans(onWeekday: $0).count == 1 } && !daily.isAlwaysOpen)
    #expect(OpeningHours("24/7")?.isAlwaysOpen == true)
    #expect(OpeningHours("24/7; Dec 25 off")?.isAlwaysOpen == false)
  }

  @Test(
    "[CA-3] what says something else is left as text",
    arguments: [
      "", ";", "by appointment", "Mo-Fr sunrise-sunset", "Mo 08:00+", "Mo 08:00-20:00 \"ring the bell\"",
      "Mo[1] 08:00-10:00", "week 1-10 Mo 08:00-10:00", "SH Mo 08:00-10:00", "easter off", "Mo 08-20", "Mo 08:00",
      "Mo-Fr", "Mo 08:00-20:00 || Tu 09:00-10:00", "Mo 25:00-26:00", "Mo 08:60-10:00", "Mo 08:00-49:00",
      "Mo 10:00-36:00", "Feb 30 off", "2026 Feb 29 off", "Dec 40 off", "PH off", "PH 10:00-12:00; PH off",
      "Mo 08:00-20:00 off", "Dec-2026 Jan off", "Mo 08:00-20:00, 5", "Mo-Fr 08:00-20:00 Sa", "\u{0}", "Ｍｏ 08:00-20:00",
      "Mo 99999:00-20:00",
    ])
  func leftAsText(text: String) {
    #expect(OpeningHours(text) == nil, "\(text)")
  }

  @Test("[CA-3] texts of any length and depth are judged at once")
  func hostile() {
    #expect(OpeningHours(String(repeating: "Mo 08:00-20:00;", count: 61)) == nil)
    #expect(OpeningHours(String(repeating: "Mo 08:00-20:00;", count: 100_000)) == nil)
    #expect(OpeningHours(String(repeating: ";", count: 1_000)) == nil)
    #expect(OpeningHours(String(repeating: "Mo,", count: 300) + "Mo 08:00-20:00") != nil)
  }

  @Test(
    "[CA-3] dated rules hold on their days, and on no others",
    arguments: [
      ("Dec 25", ["2026-12-25", "2027-12-25"], ["2026-12-24", "2026-12-26"]),
      ("Dec 24-26", ["2026-12-24", "2026-12-25", "2026-12-26"], ["2026-12-23", "2026-12-27"]),
      ("Dec 24,26", ["2026-12-24", "2026-12-26"], ["2026-12-25"]),
      ("Jan 01,Dec 25", ["2027-01-01", "2026-12-25"], ["2027-01-02"]),
      ("Dec 30-Jan 02", ["2026-12-30", "2026-12-31", "2027-01-01", "2027-01-02"], ["2026-12-29", "2027-01-03"]),
      ("Jun-Aug", ["2026-06-01", "2026-07-15", "2026-08-31"], ["2026-05-31", "2026-09-01"]),
      ("Nov-Feb", ["2026-11-01", "2027-02-28", "2028-02-29"], ["2026-10-31", "2027-03-01"]),
      ("2026 Dec 25", ["2026-12-25"], ["2027-12-25"]),
      ("2026 Dec 24-2027 Jan 02", ["2026-12-24", "2027-01-02"], ["2027-01-03", "2027-12-25"]),
      ("2026 Dec 24-Jan 02", ["2026-12-24", "2027-01-02"], ["2027-01-03"]),
      ("2027 Feb", ["2027-02-01", "2027-02-28"], ["2028-02-29", "2027-03-01"]),
    ])
  func dates(selector: String, on: [String], not: [String]) throws {
    let hours = try #require(OpeningHours("08:00-20:00; \(selector) off"), "\(selector)")
    for day in on { #expect(hours.spans(onDay: try self.day(day)).isEmpty, "\(selector) \(day)") }
    for day in not { #expect(!hours.spans(onDay: try self.day(day)).isEmpty, "\(selector) \(day)") }
  }

  private func day(_ text: String) throws -> Int {
    Int(try utc("\(text) 00:00").wholeSeconds / 86_400)
  }

  @Test("[CA-3] exceptions are the days ahead whose hours differ from the ordinary week's")
  func exceptions() throws {
    let hours = try #require(OpeningHours("Mo-Fr 08:00-20:00; Dec 24-26 10:00-14:00; Dec 27 off"))
    let days = hours.exceptions(from: try utc("2026-12-20 12:00"), in: Self.utc, among: 60)
    // The 27th is a Sunday, when it is closed anyway.
    #expect(days == [try day("2026-12-24"), try day("2026-12-25"), try day("2026-12-26")])
    #expect(
      try #require(OpeningHours("Mo 08:00-20:00")).exceptions(from: utc("2026-12-20 12:00"), in: Self.utc, among: 60)
        == [])
  }

  @Test(
    "[CA-3] open now and the next change follow from the hours",
    arguments: [
      // 2026-11-21 is a Saturday.
      ("08:00-21:00", "2026-11-21 08:00", true, "2026-11-21 21:00"),
      ("08:00-21:00", "2026-11-21 07:59", false, "2026-11-21 08:00"),
      ("08:00-21:00", "2026-11-21 21:00", false, "2026-11-22 08:00"),
      ("Mo-Fr 08:00-21:00", "2026-11-21 12:00", false, "2026-11-23 08:00"),
      ("Fr 20:00-06:00", "2026-11-21 05:59", true, "2026-11-21 06:00"),
      ("Fr 20:00-06:00", "2026-11-21 06:00", false, "2026-11-27 20:00"),
      ("Fr-Sa 20:00-24:00; Sa-Su 00:00-04:00", "2026-11-20 23:00", true, "2026-11-21 04:00"),
      ("Mo-Su 00:00-24:00; Dec 25 off", "2026-11-21 12:00", true, "2026-12-25 00:00"),
      ("24/7; Dec 25 off", "2026-12-25 12:00", false, "2026-12-26 00:00"),
      ("Mo-Su 00:00-24:00", "2026-11-21 12:00", true, nil), ("off", "2026-11-21 12:00", false, nil),
      ("24/7", "2026-11-21 12:00", true, nil),
      ("2026 Nov 21 10:00-14:00", "2026-11-21 12:00", true, "2026-11-21 14:00"),
      ("2026 Nov 21 10:00-14:00", "2026-11-21 15:00", false, nil),
      ("Nov 21 10:00-14:00", "2026-11-21 15:00", false, "2027-11-21 10:00"),
      ("Sa 08:00-12:00,11:00-13:00,13:00-14:00", "2026-11-21 09:00", true, "2026-11-21 14:00"),
      ("Fr 22:00-04:00; Sa off", "2026-11-21 02:00", true, "2026-11-21 04:00"),
    ])
  func states(text: String, now: String, isOpen: Bool, next: String?) throws {
    let state = try #require(OpeningHours(text)).state(at: utc(now), in: Self.utc)
    #expect(state.isOpen == isOpen, "\(text) \(now)")
    #expect(try state.nextChange == next.map { try utc($0) }, "\(text) \(now)")
  }

  @Test(
    "[CA-3] clocks that change are followed: hours are those of the gym's zone",
    arguments: [
      // In summer Berlin is two hours ahead, in winter one.
      ("08:00-20:00", "2026-07-01 05:59", false, "2026-07-01 06:00"),
      ("08:00-20:00", "2026-12-01 06:59", false, "2026-12-01 07:00"),
      // The night of 28 March has an hour less, that of 24 October one more.
      ("Sa 22:00-06:00", "2026-03-28 22:00", true, "2026-03-29 04:00"),
      ("Sa 22:00-06:00", "2026-10-24 22:00", true, "2026-10-25 05:00"),
      // What the clocks skip is after the gap; of what they show twice it is the first.
      ("Su 02:30-05:00", "2026-03-29 00:30", false, "2026-03-29 01:00"),
      ("Su 01:00-02:30", "2026-03-29 00:30", true, "2026-03-29 01:00"),
      ("Su 02:30-05:00", "2026-10-25 00:00", false, "2026-10-25 00:30"),
      ("Sa 20:00-02:30", "2026-10-25 00:15", true, "2026-10-25 00:30"),
    ])
  func daylightSaving(text: String, now: String, isOpen: Bool, next: String) throws {
    let state = try #require(OpeningHours(text)).state(at: utc(now), in: Self.berlin)
    #expect(state.isOpen == isOpen, "\(text) \(now)")
    #expect(try state.nextChange == utc(next), "\(text) \(now)")
  }

  @Test("[CA-3] at every quarter of an hour the next change is the next one at which the state is another")
  func consistent() throws {
    let hours = try #require(
      OpeningHours("Mo-Fr 06:00-12:00,13:15-23:00; Sa 20:00-03:00; Mar 29 off; Oct 25 01:30-02:30"))
    let begin = try utc("2026-03-01 00:00")
    var expected = hours.state(at: begin, in: Self.berlin)
    for quarter in 1..<(250 * 96) {
      let now = begin + .seconds(quarter * 900)
      let state = hours.state(at: now, in: Self.berlin)
      guard state != expected else { continue }
      #expect(expected.nextChange == now && state.isOpen != expected.isOpen, "\(now)")
      expected = state
    }
  }
}
