import CatalogDomain
import CatalogStore
import TTRPC
import TandemCatalog

extension Books {
  /// What is stored of the caller in the catalog, and how much may be.
  package func getStorage(_ call: GetStorageRequest, _ context: CallContext) async throws -> GetStorageResponse {
    let row = try await database.first(StorageOfUser(userID: try context.userID))
    return GetStorageResponse(
      used: StorageFigures(
        books: Int64(row?.books ?? 0), comments: row?.comments ?? 0, ratings: Int64(row?.ratings ?? 0),
        workouts: Int64(row?.workouts ?? 0), workoutLogs: Int64(row?.workoutLogs ?? 0)),
      limits: StorageFigures(
        books: StorageLimits.maxBooks, comments: CommentRules.maxInAll, ratings: StorageLimits.maxRatings,
        workouts: StorageLimits.maxWorkouts, workoutLogs: StorageLimits.maxWorkoutLogs))
  }
}
