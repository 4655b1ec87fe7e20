import FieldViolations
import Identifiers
import MatchingDomain
import MatchingStore
import Pagination
import TTRPC
import TandemMatching

extension Bars {
  /// Lists bars with their audit trails, the newest first.
  package func listBars(_ call: ListBarsRequest, _ context: CallContext) async throws -> ListBarsResponse {
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: BarID.self)
    var user: UserID?
    if !call.userID.isEmpty {
      user = bad.require(
        "user_id", UserID(call.userID), "This is not the id of a user", MatchingReason.userIDInvalid)
    }
    try bad.check()
    let found = try await database.rows(
      BarsForOperators(
        userID: user, includesEnded: call.includeEnded, now: clock.now, beforeBarID: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.bar.id }
    let changes = try await changes(of: shown.map(\.bar.id))
    return ListBarsResponse(
      bars: shown.map { BarRecord($0.bar, $0.username, changes[$0.bar.id] ?? []) }, nextPageToken: next)
  }
}
