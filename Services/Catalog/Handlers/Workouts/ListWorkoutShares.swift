import CatalogOperations
import FieldViolations
import TTRPC
import TandemCatalog

extension Workouts {
  /// The links to one of the caller's workouts, the newest first ([CA-15]).
  package func listWorkoutShares(
    _ call: ListWorkoutSharesRequest, _ context: CallContext
  ) async throws -> ListWorkoutSharesResponse {
    let owner = try context.userID
    var bad = Violations()
    let named = bad.workoutID(call.workoutID)
    let id = try bad.all(named)
    let shares = try await operations.listWorkoutShares(of: id, by: owner)
    return ListWorkoutSharesResponse(shares: shares.map { WorkoutShare($0) })
  }
}
