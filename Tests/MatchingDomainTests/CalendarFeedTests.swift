import Identifiers
import MatchingDomain
import Testing

@Suite("The calendar of training sessions")
struct CalendarFeedTests {
  private static let start = Instant(microseconds: 1_800_000_000_500_000)

  private static func entry(_ title: String, gym: String = "Gym") -> CalendarEntry {
    CalendarEntry(
      sessionID: UUID7(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001), startsAt: start,
      endsAt: start + .seconds(3_600), changedAt: start - .seconds(86_400), revision: 2, title: title, gym: gym,
      isMatched: true)
  }

  @Test("[MA-12] an entry has its times in UTC, and a stable id")
  func entry() {
    let lines = CalendarFeed.text(of: [Self.entry("Training")], at: Self.start).split(separator: "\r\n").map(
      String.init)
    #expect(lines.first == "BEGIN:VCALENDAR" && lines.last == "END:VCALENDAR")
    #expect(lines.contains("DTSTART:20270115T080000Z"))
    #expect(lines.contains("DTEND:20270115T090000Z"))
    #expect(lines.contains("UID:01900000-0000-7000-8000-000000000001@sessions.tandem"))
    #expect(lines.contains("SEQUENCE:2") && lines.contains("STATUS:CONFIRMED"))
  }

  @Test("[MA-12] texts cannot break out of their line")
  func escaping() {
    let text = CalendarFeed.text(
      of: [Self.entry("a,b;c\\d\r\nBEGIN:VALARM\nx\ry\u{0}\u{7}z", gym: "X\nEND:VEVENT")], at: Self.start)
    #expect(text.contains("SUMMARY:a\\,b\\;c\\\\d\\nBEGIN:VALARM\\nx\\nyz\r\n"))
    #expect(text.contains("LOCATION:X\\nEND:VEVENT\r\n"))
    #expect(!text.contains("\r\nBEGIN:VALARM"))
  }

  @Test("[MA-12] lines are folded after 75 bytes, never inside a character", arguments: ["é", "日", "🏋️‍♀️", "a"])
  func folding(letter: String) {
    let title = String(repeating: letter, count: 200)
    let text = CalendarFeed.text(of: [Self.entry(title)], at: Self.start)
    for line in text.utf8.split(separator: 0x0A) {
      #expect(line.count <= 76, "75 bytes and the CR")
      #expect(String(validating: line, as: UTF8.self) != nil)
    }
    let unfolded = String(decoding: Self.unfolded(Array(text.utf8)), as: UTF8.self)
    #expect(unfolded.contains("SUMMARY:\(title)\r\n"))
  }

  private static func unfolded(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes {
      result.append(byte)
      if result.suffix(3) == [0x0D, 0x0A, 0x20] { result.removeLast(3) }
    }
    return result
  }
}
