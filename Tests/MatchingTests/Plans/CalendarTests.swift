import Foundation
import Identifiers
import MatchingDomain
import TTRPC
import TandemMatching
import TestServices
import TestSupport
import Testing

extension RunningMatching {
  var calendars: CalendarsClient { CalendarsClient(client) }

  /// A new link to a user's calendar.
  func link(of user: TestUser = .ada) async throws -> CreateCalendarLinkResponse {
    try await calendars.createCalendarLink(.init(), user.options)
  }

  /// What a calendar program gets, without login.
  func calendar(_ token: String) async throws -> String {
    try await calendars.getCalendar(GetCalendarRequest(token: token), CallOptions(timeout: .seconds(60))).calendar
  }
}

@Suite("calendar feeds", .timeLimit(.minutes(5)), .ownThreads)
struct CalendarTests {
  @Test("[MA-20] a calendar program reads the user's sessions, without partners, by a link")
  func feed() async throws {
    try await RunningMatching.with { matching in
      let session = try await matching.match()
      try await matching.post(RunningMatching.request(in: 600, focus: .yoga))
      let gone = try await matching.post(RunningMatching.request(in: 900))
      try await matching.cancel(gone, as: .ada)
      try await matching.sql("update sessions set gym_name = 'Gym, \(String(repeating: "é; ", count: 40))'")
      let link = try await matching.link()

      let text = try await matching.calendar(link.token)

      let events = try CalendarReader.events(of: text)
      #expect(events.count == 2)
      let matched = try #require(events.first { $0["uid"] == "\(session.sessionID)@sessions.tandem" })
      #expect(matched["status"] == "CONFIRMED" && matched["summary"] == "Training: strength")
      #expect(matched["location"] == "Gym, " + String(repeating: "é; ", count: 40))
      #expect(
        matched["start"] == session.startTime.map { CalendarReader.form(Int64($0.seconds)) }
          && matched["end"] == session.endTime.map { CalendarReader.form(Int64($0.seconds)) })
      #expect(events.contains { $0["status"] == "TENTATIVE" && $0["summary"] == "Training: yoga" })
      #expect(!text.contains("grace") && !text.contains(TestUser.grace.id.description))
    }
  }

  @Test("[MA-20] a revoked link leads nowhere, and the secret of none is stored")
  func revocation() async throws {
    try await RunningMatching.with { matching in
      let (first, second) = (try await matching.link(), try await matching.link())
      _ = try await matching.calendars.revokeCalendarLink(
        RevokeCalendarLinkRequest(linkID: first.link?.linkID ?? ""), TestUser.ada.options)
      #expect(try await refusal { try await matching.calendar(first.token) }.reason == "CALENDAR_LINK_NOT_FOUND")
      #expect(try await matching.calendar(second.token).hasPrefix("BEGIN:VCALENDAR\r\n"))
      let stored = try await matching.value("select encode(token_hash, 'escape') from calendar_links")
      #expect(stored?.contains(second.token) == false)
      #expect(
        try await matching.calendars.listCalendarLinks(.init(), TestUser.ada.options).links.map(\.linkID)
          == [second.link?.linkID])
      let other = try await refusal {
        try await matching.calendars.revokeCalendarLink(
          RevokeCalendarLinkRequest(linkID: second.link?.linkID ?? ""), TestUser.grace.options)
      }
      #expect(other.reason == "CALENDAR_LINK_NOT_FOUND")
    }
  }

  @Test("[MA-20] a user has 10 links at most, and after 30 unknown links only those that exist work")
  func limits() async throws {
    try await RunningMatching.with { matching in
      var last = ""
      for _ in 0..<10 { last = try await matching.link().token }
      #expect(try await refusal { try await matching.link() }.reason == "TOO_MANY_CALENDAR_LINKS")
      for _ in 0..<30 {
        #expect(try await refusal { try await matching.calendar("x") }.reason == "CALENDAR_LINK_NOT_FOUND")
      }
      #expect(try await refusal { try await matching.calendar("x") }.reason == "TOO_MANY_ATTEMPTS")
      #expect(try await matching.calendar(last).hasPrefix("BEGIN:VCALENDAR"))
      matching.clock.advance(by: .seconds(900))
      #expect(try await refusal { try await matching.calendar("x") }.reason == "CALENDAR_LINK_NOT_FOUND")
    }
  }
}

/// Another implementation of RFC 5545: PyPI's icalendar.
enum CalendarReader {
  private struct Failed: Error {
    let status: Int32
  }

  /// The events of a calendar. Blocks its thread.
  static func events(of calendar: String) throws -> [[String: String]] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let process = Process()
    process.executableURL = folder.appendingPathComponent("../../../.venv/bin/python").standardized
    process.arguments = [folder.appendingPathComponent("read_calendar.py").path]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try Children.start { try process.run() }
    try input.fileHandleForWriting.write(contentsOf: Data(calendar.utf8))
    try input.fileHandleForWriting.close()
    let lines = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
    return try lines.split(separator: 0x0A).map { try JSONDecoder().decode([String: String].self, from: $0) }
  }

  /// As Python writes a moment.
  static func form(_ seconds: Int64) -> String {
    String(Instant(microseconds: seconds * 1_000_000).description.prefix(19)) + "+00:00"
  }
}
