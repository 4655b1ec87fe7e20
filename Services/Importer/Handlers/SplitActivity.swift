import FieldViolations
import Idempotency
import Identifiers
import ImporterDomain
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
    return try await store.inTurn(of: user) {
      try await idempotency.execute(call, context.requestKey(requestID)) { tx in
        switch try await store.split(source, from: activity, of: user, in: tx) {
        case .done(let new):
          return SplitActivityResponse(
            activity: try await Self.activity(activity, of: user, tx),
            splitOff: try await Self.activity(new, of: user, tx))
        case .noActivity: throw Status.noSuchActivity
        case .noSource: throw Status(ImporterReason.sourceNotFound, "The activity has no such source")
        case .onlySource: throw Status(ImporterReason.onlySource, "The activity has no other source")
        }
      }
    }
  }

  private static func activity(_ id: ActivityID, of user: UserID, _ tx: Transaction) async throws -> Activity {
    guard let row = try await tx.first(ActivityOfUser(activityID: id, userID: user)) else {
      throw Status.noSuchActivity
    }
    return Activity(id, row.figure, try await tx.rows(SourcesOfActivities(activityIDs: [id])))
  }
}
