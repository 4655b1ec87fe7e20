import FieldViolations
import Idempotency
import Identifiers
import ImporterDomain
import ImporterOperations
import ImporterStore
import Postgres
import TTRPC
import TandemImporter

extension Activities {
  /// Takes one source out of one of the caller's activities, for good ([IM-8]).
  package func splitActivity(
    _ call: SplitActivityRequest, _ context: CallContext
  ) async throws -> SplitActivityResponse {
    let user = try context.userID
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let (activityID, sourceID) = (bad.activityID(call.activityID), bad.sourceID(call.sourceID))
    let (activity, source) = try bad.all(activityID, sourceID)
    return try await operations.inTurn(of: user) {
      try await idempotency.execute(call, context.requestKey(requestID)) { tx in
        let new = try await operations.splitActivity(activity, takingOut: source, of: user, tx)
        return SplitActivityResponse(
          activity: try await Self.activity(activity, of: user, tx),
          splitOff: try await Self.activity(new, of: user, tx))
      }
    }
  }

  private static func activity(_ id: ActivityID, of user: UserID, _ tx: Transaction) async throws -> Activity {
    guard let row = try await tx.first(ActivityOfUser(activityID: id, userID: user)) else {
      throw ActivityRefusal.noSuchActivity
    }
    return Activity(id, row.figure, try await tx.rows(SourcesOfActivities(activityIDs: [id])))
  }
}
