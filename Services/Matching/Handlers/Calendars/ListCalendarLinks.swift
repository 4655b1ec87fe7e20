import MatchingStore
import TTRPC
import TandemMatching

extension Calendars {
  /// The caller's links, without their secrets.
  package func listCalendarLinks(
    _ call: ListCalendarLinksRequest, _ context: CallContext
  ) async throws -> ListCalendarLinksResponse {
    let links = try await database.rows(CalendarLinksOf(userID: try context.userID))
    return ListCalendarLinksResponse(links: links.map { CalendarLink($0) })
  }
}
