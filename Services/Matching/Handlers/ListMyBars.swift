import FieldViolations
import MatchingDomain
import MatchingStore
import Pagination
import Postgres
import TTRPC
import TandemMatching

extension Sessions {
  /// The caller's bars and their causes, the newest first ([MA-14], [C-5]).
  package func listMyBars(_ call: ListMyBarsRequest, _ context: CallContext) async throws -> ListMyBarsResponse {
    let user = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: BarID.self)
    try bad.check()
    let found = try await database.rows(BarsOfUser(userID: user, beforeBarID: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.id }
    return ListMyBarsResponse(bars: shown.map { Bar($0) }, nextPageToken: next)
  }
}
