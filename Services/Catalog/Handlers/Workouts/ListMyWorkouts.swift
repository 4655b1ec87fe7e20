import CatalogStore
import FieldViolations
import Pagination
import TTRPC
import TandemCatalog

extension Workouts {
  /// A page of the caller's own workouts, the newest first ([CA-12], [C-5]).
  package func listMyWorkouts(
    _ call: ListMyWorkoutsRequest, _ context: CallContext
  ) async throws -> ListMyWorkoutsResponse {
    let owner = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: WorkoutID.self)
    try bad.check()
    let found = try await database.rows(WorkoutsOfOwner(ownerID: owner, before: page.after, limit: page.limit))
    let (rows, next) = try page.cut(found) { $0.id }
    return ListMyWorkoutsResponse(workouts: try await shown(rows), nextPageToken: next)
  }
}
