import MatchingDomain
import MatchingStore
import TTRPC
import TandemMatching

extension Sessions {
  /// What is stored of the caller for sessions to come, and how much may be.
  package func getStorage(_ call: GetStorageRequest, _ context: CallContext) async throws -> GetStorageResponse {
    let storage = StorageOfUser(userID: try context.userID, now: environment.clock.now)
    let used = try await database.first(storage)
    return GetStorageResponse(
      used: StorageFigures(
        openPosts: used?.openPosts ?? 0, savedSearches: used?.savedSearches ?? 0, repetitions: used?.repetitions ?? 0,
        waitingLists: used?.waitingLists ?? 0),
      limits: StorageFigures(
        openPosts: NewsLimits.maxOpenPosts, savedSearches: StorageLimits.maxSavedSearches,
        repetitions: StorageLimits.maxRepetitions, waitingLists: Int64(WaitingRule.maxLists)))
  }
}
