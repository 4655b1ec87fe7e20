import FieldViolations
import ImporterDomain
import ImporterStore
import TTRPC
import TandemImporter

extension Activities {
  /// The links to one of the caller's activities, the newest first ([CA-15]).
  package func listActivityShares(
    _ call: ListActivitySharesRequest, _ context: CallContext
  ) async throws -> ListActivitySharesResponse {
    let user = try context.userID
    var bad = Violations()
    let activityID = bad.activityID(call.activityID)
    let id = try bad.all(activityID)
    guard try await database.first(ActivityOfUser(activityID: id, userID: user)) != nil else {
      throw ActivityRefusal.noSuchActivity
    }
    let shares = try await database.rows(SharesOfActivity(activityID: id, userID: user))
    return ListActivitySharesResponse(shares: shares.map { ActivityShare($0) })
  }
}
