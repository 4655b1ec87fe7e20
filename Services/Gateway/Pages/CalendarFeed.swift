import GatewayProtocols
import TTRPC
import TandemMatching

/// A calendar that calendar programs follow by its link.
enum CalendarFeed {
  static func page(_ token: String, _ calls: SuiteCalls) -> Page {
    Page([.get]) { request in
      do {
        var call = GetCalendarRequest()
        call.token = token
        let client = CalendarsClient(try calls.client(of: "matching", for: request))
        let calendar = try await client.getCalendar(call, calls.options(for: request)).calendar
        return TaggedAnswer.answer(
          "text/calendar; charset=utf-8", Array(calendar.utf8), tag: tag(of: calendar), to: request.head)
      } catch {
        return PageAnswer.failure(SuiteCalls.status(of: error))
      }
    }
  }

  /// The tag of what a calendar says: the time at which it was written (RFC 5545, section 3.8.7.2) is no part of it.
  static func tag(of calendar: String) -> String {
    let lines = calendar.utf8.split(separator: UInt8(ascii: "\n")).filter { !$0.starts(with: "DTSTAMP".utf8) }
    return EntityTag.tag(of: lines.joined())
  }
}
