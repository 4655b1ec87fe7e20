import CatalogStore
import FieldViolations
import TTRPC
import TandemCatalog
import Timestamps

extension Workouts {
  /// The caller's workouts that were created, changed or deleted since a token ([C-11]).
  package func listMyWorkoutChanges(
    _ call: ListMyWorkoutChangesRequest, _ context: CallContext
  ) async throws -> ListMyWorkoutChangesResponse {
    let owner = try context.userID
    var bad = Violations()
    let size = bad.changesSize(call.pageSize)
    let named = bad.changeToken(call.since)
    let since = try bad.all(named)
    let last = try await database.first(WorkoutChangesOfUser(userID: owner)) ?? 0
    let epoch = try await since.check(against: last, in: database)
    let found = try await database.rows(ChangedWorkouts(ownerID: owner, after: since.change, limit: Int64(size) + 1))
    let rows = found.prefix(size)
    let workouts = try await shown(rows.map(\.workout))
    return ListMyWorkoutChangesResponse(
      changes: zip(rows, workouts).map { row, workout in
        WorkoutChange(
          workoutID: workout.workoutID, workout: row.deletedAt == nil ? workout : nil,
          deleteTime: row.deletedAt?.timestamp)
      },
      nextSince: ChangeToken(change: rows.last?.change ?? since.change, epoch: epoch).text, more: found.count > size)
  }
}
