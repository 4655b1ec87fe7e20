import FieldViolations
import Identifiers
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity

extension Directory {
  /// Lists a page of all blocks, for services that have missed events ([C-10], [C-5]).
  package func listBlocks(_ call: ListBlocksRequest, _ context: CallContext) async throws -> ListBlocksResponse {
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: UserID.self, UserID.self)
    try bad.check()
    let found = try await database.rows(
      BlocksAfter(afterBlockerID: page.after?.0, afterBlockedID: page.after?.1, limit: page.limit))
    let (shown, next) = try page.cut(found) { ($0.blockerID, $0.blockedID) }
    return ListBlocksResponse(
      blocks: shown.map { Block(blockerUserID: $0.blockerID.description, blockedUserID: $0.blockedID.description) },
      nextPageToken: next)
  }
}
