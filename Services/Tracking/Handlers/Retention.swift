import FieldViolations
import Idempotency
import Postgres
import TTRPC
import TandemTracking
import TrackingOperations
import TrackingStore

extension Locations {
  /// After how many days the caller's positions and paths are deleted ([TR-13]).
  package func getRetention(_ call: GetRetentionRequest, _ context: CallContext) async throws -> Retention {
    let days = try await database.first(RetentionOf(userID: try context.userID))
    return Retention(days: days ?? Self.defaultRetention)
  }

  /// Changes after how many days the caller's positions and paths are deleted ([TR-13]).
  package func setRetention(_ call: SetRetentionRequest, _ context: CallContext) async throws -> Retention {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    if !Self.retentions.contains(call.days) {
      bad.add(
        "days", "Positions are kept for \(Self.retentions.lowerBound) to \(Self.retentions.upperBound) days",
        TrackingReason.retentionInvalid)
    }
    try bad.check()
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      try await operations.setRetention(to: call.days, of: user, tx)
      return Retention(days: call.days)
    }
  }

  /// Days, as the column's default.
  static let defaultRetention: Int32 = 30
  /// What changed in groups is kept for up to two days, so that viewers can resume.
  private static let retentions: ClosedRange<Int32> = 2...365
}
