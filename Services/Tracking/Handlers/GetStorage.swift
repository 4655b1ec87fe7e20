import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore

extension Locations {
  /// What is stored of the caller in places and on paths, and how much may be.
  package func getStorage(_ call: GetStorageRequest, _ context: CallContext) async throws -> GetStorageResponse {
    let user = try context.userID
    let row = try await database.first(StorageOfTracker(userID: user))
    let kept = try await database.first(CountPathPoints(userID: user, limit: Self.maxCounted)) ?? 0
    let today = row.map { PathDays.unpacked($0.pathDays).count(at: environment.clock.now) } ?? 0
    return GetStorageResponse(
      used: StorageFigures(
        places: Int64(row?.placeCount ?? 0), pathPositionsOfDay: Int64(today), pathPositions: kept),
      limits: StorageFigures(
        places: Int64(Geofence.maxOfUser), pathPositionsOfDay: Int64(PathDays.maxOfDay),
        pathPositions: PathDays.maxStored(keptFor: row?.retentionDays ?? Self.defaultRetention)))
  }

  /// So many positions are counted quickly.
  private static let maxCounted: Int64 = 1_000_000
}
