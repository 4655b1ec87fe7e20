import FieldViolations
import Identifiers
import ImporterDomain
import ImporterStore
import Pagination
import TTRPC
import TandemImporter

extension Activities {
  /// A page of the caller's activities without their tracks, the latest start first ([IM-11], [C-5]).
  package func listActivities(
    _ call: ListActivitiesRequest, _ context: CallContext
  ) async throws -> ListActivitiesResponse {
    let user = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: Instant.self, ActivityID.self)
    let since = call.startTimeFrom.flatMap { bad.time($0, "start_time_from") }
    let before = call.startTimeBefore.flatMap { bad.time($0, "start_time_before") }
    try bad.check()
    let rows = try await database.rows(
      ActivitiesOfUser(
        userID: user, sport: Sport(call.sport), since: since, before: before, lastStart: page.after?.0,
        lastID: page.after?.1, limit: page.limit))
    let (shown, next) = try page.cut(rows) { ($0.figure.startedAt, $0.id) }
    let sources = try await sources(of: shown.map(\.id))
    return ListActivitiesResponse(
      activities: shown.map { Activity($0.id, $0.figure, sources[$0.id] ?? []) }, nextPageToken: next)
  }

  /// The sources of activities, the most exact first.
  func sources(of activities: [ActivityID]) async throws -> [ActivityID: [SourcesOfActivities.Row]] {
    guard !activities.isEmpty else { return [:] }
    return Dictionary(
      grouping: try await database.rows(SourcesOfActivities(activityIDs: activities)), by: \.activityID)
  }
}
