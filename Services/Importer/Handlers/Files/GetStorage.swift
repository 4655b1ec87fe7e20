import ImporterDomain
import ImporterOperations
import ImporterStore
import TTRPC
import TandemImporter

extension Activities {
  /// What is stored of the caller, and how much may be.
  package func getStorage(_ call: GetStorageRequest, _ context: CallContext) async throws -> GetStorageResponse {
    let user = try context.userID
    guard let row = try await database.first(StorageOfUser(userID: user)) else { throw Status.opaque }
    return GetStorageResponse(
      used: StorageFigures(StorageUse(row)), limits: StorageFigures(operations.quota))
  }
}

extension StorageFigures {
  fileprivate init(_ use: StorageUse) {
    self.init(
      activitySources: use.activities, bytes: use.bytes, stepDays: use.stepDays, sleeps: use.sleeps,
      weights: use.weights)
  }
}
